// The line between the papers above it and those below.
import { count } from "../../../domain/format";
import type { Table } from "../useTable";
import type { ShownLine } from "../line/shownLine";

export function RuleRow({
  span,
  rowIndex,
  height,
  line,
  table,
}: {
  span: number;
  rowIndex: number;
  height: number;
  line: ShownLine | null;
  table: Table;
}) {
  const { filter } = table.state;
  const where = line?.accept.perTrack ? ` in ${filter.track ?? "each track"}` : "";
  const text =
    line && !line.accept.perTrack ? `${count(line.places)} accepted above` : `Line${where}`;
  return (
    <tr className="rule-row" aria-rowindex={rowIndex} style={{ height }}>
      <td colSpan={span}>
        <span className="rule-text">{text}</span>
      </td>
    </tr>
  );
}
