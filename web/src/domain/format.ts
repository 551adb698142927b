// Numbers as people read them. Sorting and exports never use these: they take the full number.
import type { Mode, View } from "./run";
import type { Statistic } from "./statistics";

const NOTHING = "–";
export const DIGITS: Record<Mode, number> = { given: 2, dequantized: 3, percentile: 1 };
/** What rounds to nothing at three decimals. */
export const LEAST_MOVE = 0.0005;

export function fixed(value: number, digits: number): string {
  if (Number.isNaN(value)) return NOTHING;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** With its sign, three decimals: "+0.214", "−0.034", "0.000". */
export function signed(value: number): string {
  const text = fixed(value, 3);
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

/** A level as short as it can be written: "5", "5.5". */
export function plain(value: number): string {
  return String(Number(value.toFixed(4))).replace("-", "−");
}

/** A given score: its symbol where the scale has symbols. */
export function scoreLabel(view: View, score: number): string {
  const place = view.scale.levels.indexOf(score);
  return view.scale.symbols?.[place] ?? plain(score);
}

/** A bound, rounded up lest it promise too much: "4e-10". */
export function bound(value: number): string {
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(value));
  const leading = Math.ceil(value / 10 ** exponent - 1e-9);
  return leading === 10 ? `1e${exponent + 1}` : `${leading}e${exponent}`;
}

function decimalsOf(levels: number[]): number {
  return Math.max(0, ...levels.map((level) => String(level).split(".")[1]?.length ?? 0));
}

/** How many decimals each statistic has: a minimum of whole scores is whole, their mean is not. */
export function statisticDigits(view: View, mode: Mode): Record<Statistic, number> {
  const mean = DIGITS[mode];
  if (mode !== "given") return { min: mean, max: mean, mean, median: mean, spread: mean };
  const level = decimalsOf(view.scale.levels);
  const finer = Math.max(mean, level + 1);
  return { min: level, max: level, mean: finer, median: level + 1, spread: level };
}
