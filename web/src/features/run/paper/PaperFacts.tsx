// Track, area chair, decision and number of reviews of a paper.
import { COLUMN_NAMES } from "../../../domain/columns";
import { counted } from "../../../domain/format";
import { useRun } from "../context";

const FACTS = ["track", "area_chair", "decision"] as const; // decision: the import's

export function PaperFacts({ paper }: { paper: number }) {
  const { run } = useRun();
  const facts = FACTS.flatMap((fact) => {
    const value = run.view.papers[fact]?.[paper];
    return value ? [[COLUMN_NAMES[fact], value] as const] : [];
  });
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt className="visually-hidden">Reviews</dt>
        <dd>{counted(run.reviewsOf[paper]?.length ?? 0, "review")}</dd>
      </div>
    </dl>
  );
}
