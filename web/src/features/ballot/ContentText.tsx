// What a ballot says, to read: its order, or the answers about pairs where these settle no order.
import type { BallotContent, BallotPaper } from "./ballotTypes";
import { OrderText } from "./OrderText";

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
