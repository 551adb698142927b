// The paper under the pointer, and where it would go.
import { useDesk } from "./desk";
import type { Drag } from "./useDrag";

export function DragShadow({ drag: { paper, x, y, mark } }: { drag: Drag }) {
  const { papers } = useDesk();
  return (
    <div className="ballot-shadow" style={{ left: x, top: y }} aria-hidden="true">
      <span className="strong">{paper}</span> {papers.get(paper)?.title}
      {mark?.kind === "with" && <span className="badge">same as {mark.paper}</span>}
    </div>
  );
}
