// Numbers, sizes and locations for reading. Sorting and exports use the full numbers instead.
import type { Mode, View } from "./run";

const NOTHING = "–";
export const DIGITS: Record<Mode, number> = { given: 2, dequantized: 3 };
/** Smaller moves round to 0 at three decimals. */
export const LEAST_MOVE = 0.0005;

export function fixed(value: number, digits: number): string {
  if (Number.isNaN(value)) return NOTHING;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** With its sign: "+0.214", "−0.034", "0.000". */
export function signed(value: number, digits = 3): string {
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** 20000 as "20,000". */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** "1 paper", "2 papers". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** "1st", "240th". */
export function ordinal(place: number): string {
  const ending = ["th", "st", "nd", "rd"][place % 10];
  const teen = Math.floor(place / 10) % 10 === 1;
  return `${count(place)}${teen ? "th" : (ending ?? "th")}`;
}

/** A level without trailing zeros: "5", "5.5". */
export function plain(value: number): string {
  return String(Number(value.toFixed(4))).replace("-", "−");
}

/** A given score: its symbol where the scale has symbols. */
export function scoreLabel(view: View, score: number): string {
  const level = view.scale.levels.indexOf(score);
  return view.scale.symbols?.[level] ?? plain(score);
}

/** A given score with the number that stands for it: "A = 4", or just "4". */
export function scoreText(view: View, score: number): string {
  const label = scoreLabel(view, score);
  return view.scale.symbols ? `${label} = ${plain(score)}` : label;
}

/** A bound, rounded up so that it stays true: "4e-10". */
export function bound(value: number): string {
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(value));
  const leading = Math.ceil(value / 10 ** exponent - 1e-9);
  return leading === 10 ? `1e${exponent + 1}` : `${leading}e${exponent}`;
}

/** λ with four digits, "∞" for "inf", "auto" as it is. */
export function lambdaText(lam: number | string | null): string {
  if (lam === "inf") return "∞";
  return typeof lam === "number" ? String(Number(lam.toPrecision(4))) : (lam ?? "");
}

/** 1536 as "1.5 kB"; a kB is 1000 bytes, as in file managers. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** ["a.csv, line 2", "a.csv, line 5"] as "a.csv, lines 2, 5". */
export function whereText(locations: string[]): string {
  const found = new Map<string, string[]>();
  for (const location of locations) {
    const [, file, unit, number] = /^(.*), (line|row) (\d+)$/.exec(location) ?? [];
    const head = file === undefined ? location : `${file}, ${unit}`;
    found.set(head, [...(found.get(head) ?? []), ...(number ? [number] : [])]);
  }
  return [...found]
    .map(([head, numbers]) => {
      if (!numbers.length) return head;
      return `${head}${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}`;
    })
    .join("; ");
}

/** With a capital letter first. */
export const capitalized = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
