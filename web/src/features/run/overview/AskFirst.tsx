// Reviewers who contradict themselves: what they cause, and a text to send to each.
import { useMemo } from "react";

import { CopyButton } from "../../../components/buttons";
import { Card } from "../../../components/Card";
import { useFirst } from "../../../components/DataTable";
import {
  causedBy,
  reviewContradiction,
  messageTo,
  reviewersToAsk,
  type Asked,
} from "../../../domain/reviewerContradictions";
import { count, counted } from "../../../domain/format";
import type { Line } from "../../../domain/line";
import type { RankBy } from "../../../domain/places";
import { reviewerTitle } from "../../../domain/rankings";
import { reviewAt } from "../../../domain/run";
import { useRun } from "../context";
import { PaperLink } from "../inline";

export function AskFirst({ line, rankBy }: { line: Line | null; rankBy: RankBy }) {
  const { run } = useRun();
  const asked = useMemo(() => reviewersToAsk(run, rankBy, line), [run, rankBy, line]);
  const [first, more] = useFirst(asked, 4, "reviewers");
  const crossing = line
    ? (["out", "in"] as const).map((part) => [part, causedBy(run, rankBy, line, part)] as const)
    : [];
  return (
    <Card look="tight" title="Ask first">
      <p>
        {asked.length ? (
          <>
            <strong>{counted(asked.length, "reviewer")}</strong>{" "}
            {asked.length === 1 ? "ranks" : "rank"} against their own scores, for{" "}
            {counted(run.contradicted.size, "paper")}.
          </>
        ) : (
          "No reviewer ranks against their own scores."
        )}
        {crossing
          .filter(([, caused]) => caused > 0)
          .map(
            ([part, caused]) =>
              ` They cause ${count(caused)} of the ${count(line?.counts[part] ?? 0)} papers ${part === "out" ? "that drop out" : "from the tie or from below"}.`,
          )}
      </p>
      <ul className="bare asked">
        {first.map((each) => (
          <AskedReviewer key={each.reviewer} asked={each} />
        ))}
      </ul>
      {more}
    </Card>
  );
}

/** "· takes 2 papers across the line" */
function consequences({ caused, crossed }: Asked): string {
  if (crossed) return `· takes ${counted(crossed, "paper")} across the line`;
  return caused ? `· moves ${counted(caused, "paper")}` : "";
}

function AskedReviewer({ asked }: { asked: Asked }) {
  const { run } = useRun();
  const [review] = asked.reviews;
  if (review === undefined) return null;
  const { paper } = reviewAt(run.view, review);
  const message = messageTo(run, asked);
  return (
    <li>
      <details>
        <summary>
          <strong>{reviewerTitle(run.view, asked.reviewer)}</strong> on paper{" "}
          {run.view.papers.paper[paper]}: {reviewContradiction(run, review)}{" "}
          <span className="soft">{consequences(asked)}</span>
        </summary>
        <pre className="message">{message}</pre>
        <div className="row">
          <CopyButton text={message} name="Copy the message" look="" />
          <PaperLink paper={paper}>Open paper {run.view.papers.paper[paper]}</PaperLink>
        </div>
      </details>
    </li>
  );
}
