// The theme: light, dark or as the system has it. Remembered between visits: public/theme.js restores it.
import { useState } from "react";

import { SegmentedControl } from "./choices";

const THEMES = [
  ["system", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
type Theme = (typeof THEMES)[number][0];
const KEY = "unround-theme";

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
