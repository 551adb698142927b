// Before the first paint, lest a dark page flash white.
try {
  const chosen = localStorage.getItem("unround-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden: the system's choice stands.
}
