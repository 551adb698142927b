// What a ballot says, to read: its order, its answers, and the receipt once it is handed in.
import type { BallotContent, BallotPaper, Score, Ballot } from "./useBallot";
import { placeOf, type Order } from "./ballotOrder";
import type { BallotContradiction } from "../../api/schema";
import { ANSWERS, levelText } from "./words";
import { useGet } from "../../app/queries";
import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import { Notice, QueryStatus } from "../../components/Notice";
import { Time } from "../../components/tables";

/** The order, or the answers about pairs where these settle no order. */
export function ContentText({
  content,
  order = null,
  papers,
}: {
  content: BallotContent;
  order?: string[][] | null; // that the pairs settle
  papers: ReadonlyMap<string, BallotPaper>;
}) {
  const said = content.comparisons.filter(({ outcome }) => outcome !== "skip");
  if (!content.comparisons.length) return <OrderText order={content} papers={papers} />;
  if (order?.length)
    return <OrderText order={{ groups: order, cannot_say: [], unplaced: [] }} papers={papers} />;
  return (
    <ul className="lines">
      {said.map(({ first, second, outcome }) => (
        <li key={`${first} ${second}`}>
          {outcome === "tie"
            ? `${first} and ${second} are about the same`
            : outcome === "first"
              ? `${first} is better than ${second}`
              : `${second} is better than ${first}`}
        </li>
      ))}
      {!said.length && <li>No pair is decided.</li>}
    </ul>
  );
}

/** An order to read: places, ties, and what is not placed. */
function OrderText({ order, papers }: { order: Order; papers: ReadonlyMap<string, BallotPaper> }) {
  const place = (group: string[]) => placeOf(order, group[0] ?? "")?.number;
  return (
    <div className="stack tight">
      {order.groups.length === 0 && <p className="soft">Nothing is placed.</p>}
      <ul className="bare order-text">
        {order.groups.map((group) => (
          <li key={group.join(" ")}>
            <span className="order-place">
              {place(group)}
              {group.length > 1 && "="}
            </span>
            <ul className="bare">
              {group.map((paper) => (
                <li key={paper} dir="auto">
                  <span className="strong">{paper}</span> {papers.get(paper)?.title}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {order.cannot_say.length > 0 && <p>Cannot say: {order.cannot_say.join(", ")}</p>}
      {order.unplaced.length > 0 && <p>Not placed: {order.unplaced.join(", ")}</p>}
    </div>
  );
}

/** What a reviewer answered about contradictions, and the scores that they would change. */
export function AnswerList({
  contradictions,
  scores,
  papers,
}: {
  contradictions: BallotContradiction[];
  scores: Record<string, Score>; // that the reviewer would give
  papers: ReadonlyMap<string, BallotPaper>;
}) {
  const changed = Object.entries(scores).map(([paper, score]) => ({
    paper,
    score: levelText(score),
    given: papers.get(paper)?.score ?? null,
  }));
  if (!contradictions.length && !changed.length) return null;
  return (
    <ul className="lines">
      {contradictions.map(({ above, below, score_above, score_below, answer }) => (
        <li key={`${above} ${below}`}>
          {above} above {below}, with {levelText(score_above)} and {levelText(score_below)}:{" "}
          {answer ? ANSWERS[answer].given : "no answer"}
        </li>
      ))}
      {changed.map(({ paper, score, given }) => (
        <li key={paper}>
          {paper} would get {score}
          {given !== null && ` instead of ${levelText(given)}`}; the review keeps its score until it
          is changed there
        </li>
      ))}
    </ul>
  );
}

export function Receipt({
  ballot,
  papers,
  locked,
  onChange,
}: {
  ballot: Ballot;
  papers: ReadonlyMap<string, BallotPaper>;
  locked: boolean;
  onChange(): void;
}) {
  const { collection, content, version, saved_at, submitted_at, submitted_version, receipt } =
    ballot;
  const settled = submitted_version === version; // nothing was saved after it was handed in
  return (
    <div className="stack ballot-receipt">
      {submitted_at && (
        <Notice tone="good">
          <p className="strong">Your ballot is in. Thank you.</p>
          <p>
            Handed in <Time at={submitted_at} />, version {submitted_version}
            {settled && (
              <>
                , checksum <span className="mono">{receipt}</span>. The chairs see the same checksum
              </>
            )}
            .
          </p>
        </Notice>
      )}
      <Card title={settled ? "What counts" : "What you saved last"} look="tight">
        {saved_at ? (
          <p className="soft">
            As saved <Time at={saved_at} />.{" "}
            {!settled && "You did not hand this version in: the chairs choose whether it counts."}
          </p>
        ) : (
          <p>You had not saved anything, so your ranking is not used.</p>
        )}
        {saved_at && <ContentText content={content} order={ballot.order} papers={papers} />}
        <AnswerList
          contradictions={ballot.contradictions}
          scores={content.scores}
          papers={papers}
        />
      </Card>
      {!locked && (
        <div className="row">
          <Button onClick={onChange}>Change my ballot</Button>
          <span className="soft">
            {collection.deadline ? (
              <>
                Until <Time at={collection.deadline} />, by the same link.
              </>
            ) : (
              "As long as the chairs leave it open, by the same link."
            )}
          </span>
        </div>
      )}
      <Versions key={version} />
    </div>
  );
}

function Versions() {
  const versions = useGet("/api/ballot/versions", {});
  return (
    <details className="card">
      <summary>All versions</summary>
      <QueryStatus query={versions} />
      <ul className="lines">
        {versions.data?.map(({ version, saved_at, submitted, receipt }) => (
          <li key={version}>
            Version {version}, <Time at={saved_at} />, checksum{" "}
            <span className="mono">{receipt}</span>
            {submitted && ", handed in"}
          </li>
        ))}
      </ul>
    </details>
  );
}
