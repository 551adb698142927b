// The menu that shows and hides columns. The paper's number is always shown.
import { COLUMN_NAMES, columnsOf, type Column } from "../../../domain/columns";
import { writeColumns } from "../../../domain/tableState";
import { Menu } from "../../../components/Menu";
import { useRoute } from "../../../app/route";
import { useRun } from "../context";
import type { Table } from "../useTable";

export function ColumnsMenu({ table }: { table: Table }) {
  const { run } = useRun();
  const { query } = useRoute();
  const { mode, columns, accept } = table.state;
  const known = columnsOf(run, mode, accept);
  const toggle = (column: Column) => {
    const shown = columns.includes(column)
      ? columns.filter((other) => other !== column)
      : [...columns, column];
    table.show(writeColumns(run, shown, known, query));
  };
  return (
    <Menu text="Columns">
      {known.map((column) => (
        <label key={column}>
          <input
            type="checkbox"
            checked={columns.includes(column)}
            disabled={column === "paper"}
            onChange={() => toggle(column)}
          />
          {COLUMN_NAMES[column]}
        </label>
      ))}
    </Menu>
  );
}
