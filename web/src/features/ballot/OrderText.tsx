// An order to read: places, ties, and what is not placed.
import { placeOf, type Order } from "./ballotOrder";
import type { BallotPaper } from "./ballotTypes";

export function OrderText({
  order,
  papers,
}: {
  order: Order;
  papers: ReadonlyMap<string, BallotPaper>;
}) {
  const place = (group: string[]) => placeOf(order, group[0] ?? "")?.number;
  return (
    <div className="stack tight">
      {order.groups.length === 0 && <p className="soft">Nothing is placed.</p>}
      <ul className="order-text">
        {order.groups.map((group) => (
          <li key={group.join(" ")}>
            <span className="order-place">
              {place(group)}
              {group.length > 1 && "="}
            </span>
            <ul>
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
