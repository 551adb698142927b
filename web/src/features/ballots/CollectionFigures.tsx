// How many reviewers have answered, how long they took, where they stopped, and what contradicts.
import { Card } from "../../components/Card";
import type { Collection } from "../../api/types";
import { DefinitionList } from "../../components/DefinitionList";
import { count, counted } from "../../domain/format";
import { ANSWERS } from "../ballot/words";

export function CollectionFigures({ collection }: { collection: Collection }) {
  const { counts, median_minutes } = collection;
  const share = (some: number) =>
    counts.ballots ? `${count(some)} (${Math.round((100 * some) / counts.ballots)}%)` : "0";
  return (
    <Card title="Answers">
      <DefinitionList
        className="run-facts"
        items={[
          ["Ballots", count(counts.ballots)],
          ["Got a link", share(counts.invited)],
          ["Opened it", share(counts.opened)],
          ["Saved something", share(counts.saved)],
          ["Handed in", share(counts.submitted)],
          ["Median time", median_minutes === null ? "–" : minutesText(median_minutes)],
        ]}
      />
      <progress
        aria-label="Ballots handed in"
        value={counts.submitted}
        max={Math.max(1, counts.ballots)}
      />
      <ul className="lines">
        {dropOuts(collection).map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{contradictionText(collection)}</li>
      </ul>
    </Card>
  );
}

function dropOuts({ opened_not_saved, saved_not_submitted }: Collection): string[] {
  return [
    ...(opened_not_saved
      ? [`${counted(opened_not_saved, "reviewer")} opened the page and saved nothing.`]
      : []),
    ...(saved_not_submitted
      ? [
          `${counted(saved_not_submitted, "reviewer")} saved and did not hand in. What they saved counts, unless you ask for ballots handed in only.`,
        ]
      : []),
  ];
}

/** "12 contradictions on 5 ballots: the order stands 4, the scores stand 3, both as meant 1, …" */
export function contradictionText({ contradictions: found, options, counts }: Collection): string {
  if (!counts.saved) return "No ballot is saved yet.";
  if (!options.show_scores)
    return "Reviewers do not see their scores, so nobody is asked about contradictions.";
  if (!found.asked && !found.changed_scores) return "No ballot contradicts its reviewer’s scores.";
  const kinds = ["order", "score", "both", "unsure"] as const;
  const answers = kinds.map((kind) => [found[kind], ANSWERS[kind].given] as const);
  const told = [...answers, [found.unanswered, "no answer"] as const]
    .filter(([some]) => some > 0)
    .map(([some, text]) => `${text} ${some}`);
  const changed = found.changed_scores
    ? ` Reviewers would change ${counted(found.changed_scores, "score")}.`
    : "";
  return `${counted(found.asked, "contradiction")} with own scores on ${counted(found.ballots, "ballot")}${told.length ? `: ${told.join(", ")}` : ""}.${changed}`;
}

/** 4 as "4 minutes", 190 as "3.2 hours". */
function minutesText(minutes: number): string {
  if (minutes < 1) return "under a minute";
  return minutes < 120
    ? counted(Math.round(minutes), "minute")
    : `${(minutes / 60).toFixed(1)} hours`;
}
