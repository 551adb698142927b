// How many reviewers have answered, how long they took, where they stopped, and what contradicts.
import { Card } from "../../components/Card";
import type { Collection } from "../../api/schema";
import { Lines } from "../../components/Notice";
import { DefinitionList } from "../../components/tables";
import { count, counted } from "../../domain/format";
import { ANSWER_KINDS, ANSWERS } from "../ballot/words";

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
      <Lines lines={[...dropOuts(collection), contradictionText(collection)]} />
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
          `${counted(saved_not_submitted, "reviewer")} saved and did not hand in. What they saved counts, unless you choose “Handed in” below.`,
        ]
      : []),
  ];
}

/** "12 contradictions on 5 ballots: the order stands 4, the scores stand 3, both are meant 1, …" */
function contradictionText({ contradictions: found, options, counts }: Collection): string {
  if (!counts.saved) return "No ballot is saved yet.";
  if (!options.show_scores)
    return "Reviewers do not see their scores, so nobody is asked about contradictions.";
  if (!found.asked && !found.changed_scores) return "No ballot contradicts its reviewer’s scores.";
  const answers = ANSWER_KINDS.map((kind) => [found[kind], ANSWERS[kind].given] as const);
  const texts = [...answers, [found.unanswered, "no answer"] as const]
    .filter(([some]) => some > 0)
    .map(([some, text]) => `${text} ${some}`);
  const changed = found.changed_scores
    ? ` Reviewers would change ${counted(found.changed_scores, "score")}.`
    : "";
  return `${counted(found.asked, "contradiction")} with their own scores on ${counted(found.ballots, "ballot")}${texts.length ? `: ${texts.join(", ")}` : ""}.${changed}`;
}

/** 4 as "4 minutes", 190 as "3.2 hours". */
function minutesText(minutes: number): string {
  if (minutes < 1) return "under a minute";
  return minutes < 120
    ? counted(Math.round(minutes), "minute")
    : `${(minutes / 60).toFixed(1)} hours`;
}
