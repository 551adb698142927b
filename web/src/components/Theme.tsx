// The theme: light, dark or as the system has it. Remembered between visits.
import { useState } from "react";

import { SegmentedControl } from "./choices";

const THEMES = [
  ["system", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
type Theme = (typeof THEMES)[number][0];
const KEY = "unround-theme";

/** Restore the theme of an earlier visit; public/theme.js does this for the console. */
export function recallTheme() {
  try {
    const chosen = localStorage.getItem(KEY);
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
  } catch {
    // Storage may be forbidden: use the system's theme.
  }
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system",
  );
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden: the choice lasts as long as the page.
    }
  };
  return <SegmentedControl label="Theme" options={THEMES} value={theme} onChange={choose} />;
}
