// The first rows of each table as they were read.
import { useState } from "react";

import type { Check } from "../../api/types";
import { ScrollBox } from "../../components/ScrollBox";
import { Switch } from "../../components/Switch";
import { TableHead } from "../../components/TableHead";
import { count } from "../../domain/format";

type Preview = Check["previews"][number];
const NAMES: Record<Preview["table"], string> = {
  reviews: "Reviews",
  rankings: "Rankings",
  papers: "Papers",
};

export function Previews({ previews }: { previews: Preview[] }) {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, previews.length - 1);
  const preview = previews[at];
  if (!preview) return null;
  // There may be two tables of rankings: of ranks and of pairs.
  const names = previews.map(
    ({ table }, index) => [String(index), NAMES[table] + suffix(previews, index)] as const,
  );
  return (
    <div className="stack tight">
      <div className="row spread">
        <Switch
          label="Table"
          options={names}
          value={String(at)}
          onChange={(next) => setChosen(Number(next))}
        />
        <span className="hint">
          {preview.rows.length < preview.height
            ? `First ${preview.rows.length} of ${count(preview.height)} rows`
            : `${count(preview.height)} rows`}
        </span>
      </div>
      <ScrollBox label={`First rows: ${names[at]?.[1]}`} className="framed rows">
        <table className="plain">
          <TableHead columns={preview.columns} />
          <tbody>
            {preview.rows.map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={column}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function suffix(previews: Preview[], index: number): string {
  const earlier = previews
    .slice(0, index)
    .filter(({ table }) => table === previews[index]?.table).length;
  return earlier ? ` ${earlier + 1}` : "";
}
