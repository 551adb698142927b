// Kinds of problems in a chair's words. The server's own words serve for any other kind.
const TITLES: Record<string, string> = {
  column: "Column not found",
  empty: "Nothing in it",
  "missing-value": "Value missing",
  type: "Numbers and text mixed",
  "off-scale": "Score off the scale",
  "duplicate-review": "Review given twice",
  "duplicate-rank": "Rank given twice",
  unreviewed: "Ranked but not reviewed",
  "self-comparison": "Paper compared with itself",
  cycle: "Ranking goes in a circle",
  contradiction: "Ranking contradicts scores",
  "no-room": "No room for the ranking",
  "too-far-apart": "“About the same”, yet far apart",
};
const ADVICE: Record<string, string> = {
  column: "Name the column as expected, or map it under “How to read the files”.",
  cycle: "Ask the reviewer which holds, or choose “Scores rule”: the circle is set aside.",
  contradiction: "Ask the reviewer, or choose “Scores rule” or “Rankings rule”.",
  "no-room": "Choose a smaller gap, or “Scores rule”: it shrinks the gap for that reviewer alone.",
  "too-far-apart": "Allow more under “About the same within”, or choose “Scores rule”.",
};

/** ["a.csv, line 2", "a.csv, line 5"] -> "a.csv, lines 2, 5". */
export function placesInWords(places: string[]): string {
  const lines = new Map<string, string[]>();
  for (const place of places) {
    const [, file, unit, number] = /^(.*), (line|row) (\d+)$/.exec(place) ?? [];
    const head = file === undefined ? place : `${file}, ${unit}`;
    lines.set(head, [...(lines.get(head) ?? []), ...(number ? [number] : [])]);
  }
  return [...lines]
    .map(([head, numbers]) => {
      if (!numbers.length) return head;
      return `${head}${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}`;
    })
    .join("; ");
}

const sentence = (words: string): string =>
  words
    ? `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`
    : "";

export const titleOf = (kind: string): string => TITLES[kind] ?? sentence(kind).slice(0, -1);

export const adviceFor = (kind: string, given: string): string => ADVICE[kind] ?? sentence(given);
