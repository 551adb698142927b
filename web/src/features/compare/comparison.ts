// Papers of several runs side by side, and the state of that table in the address.
import { LEAST_MOVE, scoreLabel, signed } from "../../domain/format";
import { sidesOf, type Accept } from "../../domain/line";
import { placesOf } from "../../domain/places";
import { rankingText, reviewerTitle } from "../../domain/rankings";
import { contradictionText } from "../../domain/reviewerContradictions";
import { listed, settingsOf } from "../../domain/sentences";
import { numberAt, reviewAt, statisticOf, type Run } from "../../domain/run";

export interface Row {
  id: string;
  title: string;
  track: string;
  papers: number[]; // its position in each run, -1 where it is missing
  values: number[]; // one per run, NaN where the paper is missing
  places: number[]; // one per run; tied papers share the better
  rank: number; // places gained from first to last: positive is up
  sides: string[]; // of the line, one per run; none without a line
}

const BY_MEAN = { statistic: "mean", desc: true } as const;

/** One row per paper of any of the runs, with the places and the line of the page Papers. */
export function compared(runs: Run[], line: Accept | null = null): Row[] {
  const found = runs.map((run) => ({
    run,
    first: placesOf(run, BY_MEAN).now.first,
    sides: line && sidesOf(run, BY_MEAN, line).now,
  }));
  const ids = [...new Set(runs.flatMap((run) => [...run.paperIndex.keys()]))];
  return ids.map((id) => {
    const papers = runs.map((run) => run.paperIndex.get(id) ?? -1);
    const at = (run: number) => numberAt(papers, run);
    const places = found.map(({ first }, run) => first[at(run)] || Number.NaN);
    const latest = (column: "title" | "track") =>
      runs.reduce((earlier, { view }, run) => view.papers[column]?.[at(run)] ?? earlier, "");
    return {
      id,
      title: latest("title"),
      track: latest("track"),
      papers,
      values: found.map(({ run }, index) => statisticOf(run, "dequantized", at(index), "mean")),
      places,
      rank: numberAt(places, 0) - numberAt(places, runs.length - 1),
      sides: found.map(({ sides }, run) => {
        const side = Number.isNaN(places[run]) ? null : sides?.[at(run)];
        return side ? SIDE_NAMES[side] : "–";
      }),
    };
  });
}

/** Tied: some of the papers in that place are above the line. */
const SIDE_NAMES = { above: "in", across: "tied", below: "out" };

export const changesSide = ({ sides }: Row): boolean => sides[0] !== sides.at(-1);

/** Why a paper's place differs between the first and the last run: its scores, a ranking of its
 * reviewers, a contradiction, or else other papers. */
export function whyOf(runs: Run[], { papers, values, rank }: Row): string {
  const [first, last] = [runs[0], runs.at(-1)];
  const [from, to] = [papers[0] ?? -1, papers.at(-1) ?? -1];
  if (!first || !last || from < 0 || to < 0 || !rank) return "";
  const [given, now] = [givenScores(first, from), givenScores(last, to)];
  if (given !== now) return `given scores ${given} → ${now}`;
  const [rankings, others] = [rankingsOf(first, from), rankingsOf(last, to)];
  const changed = [...others].filter(([name, text]) => (rankings.get(name) ?? "") !== text);
  if (changed.length)
    return `${listed(
      changed.map(([name]) => name),
      " and ",
    )} ranked anew`;
  const contradiction = contradictionOn([last, to], [first, from]);
  if (contradiction) return contradiction;
  const by = numberAt(values, values.length - 1) - numberAt(values, 0);
  if (Math.abs(by) < LEAST_MOVE || by > 0 !== rank > 0)
    return rank > 0 ? "other papers fell behind it" : "other papers moved past it";
  return `moved by ${signed(by, 3)} with the other papers of its reviewers`;
}

/** "8 7 7 6" */
function givenScores({ view, reviewsOf }: Run, paper: number): string {
  const scores = (reviewsOf[paper] ?? []).map((review) => numberAt(view.reviews.score, review));
  return scores
    .sort((a, b) => b - a)
    .map((score) => scoreLabel(view, score))
    .join(" ");
}

/** The rankings of a paper's reviewers, by their names. */
function rankingsOf({ view, reviewsOf }: Run, paper: number): Map<string, string> {
  const reviewers = (reviewsOf[paper] ?? []).map((review) => reviewAt(view, review).reviewer);
  return new Map(
    reviewers.map((reviewer) => [reviewerTitle(view, reviewer), rankingText(view, reviewer)]),
  );
}

/** "Reviewer 7 gave 9, ranked it last of 5", "Reviewer 7 and another rank it against their own scores": in
 * the run that moved such a review furthest. */
function contradictionOn(...places: [Run, number][]): string | null {
  const [most] = places
    .flatMap(([run, paper]) =>
      (run.reviewsOf[paper] ?? [])
        .filter((review) => run.contradicts.has(review))
        .map((review) => ({ run, review, ...reviewAt(run.view, review) })),
    )
    .sort((a, b) => Math.abs(b.move) - Math.abs(a.move));
  if (!most) return null;
  const { run, review, paper } = most;
  const others = (run.reviewsOf[paper] ?? []).filter(
    (one) => run.contradicts.has(one) && one !== review,
  );
  return contradictionText(run, { reviews: [review, ...others], against: "against" });
}

/** The rows that are asked for: those that change side first, then by how far they moved. */
export function shownRows(rows: Row[], { text, changing }: CompareState): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((row) => {
    if (changing && !changesSide(row)) return false;
    const hay = `${row.id}\n${row.title}\n${row.track}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const size = ({ rank }: Row) => Math.abs(rank) || 0;
  return shown.sort((a, b) => Number(changesSide(b)) - Number(changesSide(a)) || size(b) - size(a));
}

/** The settings that differ between the runs. */
export function differingSettings(runs: Run[]): { name: string; values: string[] }[] {
  const settings = runs.map((run) => [
    ...settingsOf(run.view),
    [
      "Files",
      run.view.run.inputs.map((one) => `${one.file} (${one.sha256.slice(0, 8)})`).join(", "),
    ],
    ["Papers", run.papers.toLocaleString("en")],
    ["Reviews", run.reviews.toLocaleString("en")],
  ]);
  return (settings[0] ?? [])
    .map(([name = ""], row) => ({ name, values: settings.map((own) => own[row]?.[1] ?? "") }))
    .filter(({ values }) => new Set(values).size > 1);
}

const MOST_RUNS = 6; // side by side; more would not fit a screen

export interface CompareState {
  runs: string[];
  text: string;
  changing: boolean; // only papers that change side
}

export function readCompare(query: URLSearchParams): CompareState {
  const runs = [...new Set((query.get("runs") ?? "").split(",").filter(Boolean))];
  return {
    runs: runs.slice(0, MOST_RUNS),
    text: query.get("q") ?? "",
    changing: query.get("changing") === "yes",
  };
}
