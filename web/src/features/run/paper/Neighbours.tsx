// The papers before and after this one, in the order of the table.
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import { useTable } from "../useTable";

export function Neighbours({ paper }: { paper: number }) {
  const { run } = useRun();
  const { papers } = useTable();
  const place = papers.indexOf(paper);
  if (place < 0) return <p className="hint">Not among the papers that the table shows</p>;
  const [previous, next] = [papers[place - 1], papers[place + 1]];
  return (
    <nav aria-label="Neighbouring papers" className="row no-print">
      <span className="hint">
        {place + 1} of {papers.length} in the table
      </span>
      {previous !== undefined && (
        <PaperLink paper={previous} className="button" rel="prev">
          <span aria-hidden="true">←</span> Previous: {run.view.papers.paper[previous]}
        </PaperLink>
      )}
      {next !== undefined && (
        <PaperLink paper={next} className="button" rel="next">
          Next: {run.view.papers.paper[next]} <span aria-hidden="true">→</span>
        </PaperLink>
      )}
    </nav>
  );
}
