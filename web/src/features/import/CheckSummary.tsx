// What the files were recognised as, what is in them, and their first rows.
import { useState } from "react";

import { Button } from "../../components/buttons";
import { Card } from "../../components/Card";
import type { Check } from "../../api/schema";
import { DataTable } from "../../components/DataTable";
import { ErrorNotice, Lines, Notice } from "../../components/Notice";
import { DefinitionList } from "../../components/tables";
import { count, counted } from "../../domain/format";
import { openKinds, type CheckState } from "./useCheck";
import { SegmentedControl } from "../../components/choices";

const ORDER = ["reviews", "papers", "reviewers", "rankings"];

export function CheckSummary({ check, busy, error, cancel, again }: CheckState) {
  return (
    <Card
      title="What was found"
      beside={
        <span className="row">
          <span role="status" className="soft">
            {busy ? "Checking…" : check ? summary(check) : ""}
          </span>
          {cancel && <Button onClick={cancel}>Cancel check</Button>}
          {!busy && check?.status === "cancelled" && <Button onClick={again}>Check again</Button>}
        </span>
      }
      busy={busy}
    >
      <ErrorNotice error={error} />
      {check?.reason && <Notice tone="bad">{check.reason}</Notice>}
      {check && !check.reason && (
        <div className={busy ? "stack stale" : "stack"}>
          <Counts counts={check.counts} />
          {check.scale && (
            <p>
              Scale {check.scale.text.replace("..", "–")} ({check.scale.origin.split(":")[0]})
            </p>
          )}
          <Lines lines={check.recognised} />
          <Lines lines={check.notes} look="soft" />
          <Previews previews={check.previews} />
        </div>
      )}
    </Card>
  );
}

function summary(check: Check): string {
  if (check.ready) return "Ready to run";
  if (check.status === "cancelled") return "Cancelled";
  const needed = openKinds(check).size;
  return needed ? `${counted(needed, "decision")} needed before you can run` : "Not ready";
}

function Counts({ counts }: { counts: Check["counts"] }) {
  const names = [...new Set([...ORDER, ...Object.keys(counts)])].filter((name) => name in counts);
  if (!names.length) return null;
  return (
    <DefinitionList
      className="facts counts"
      items={names.map((name) => [name, count(counts[name] ?? 0)])}
    />
  );
}

type Preview = Check["previews"][number];
const NAMES: Record<Preview["table"], string> = {
  reviews: "Reviews",
  rankings: "Rankings",
  papers: "Papers",
};

/** The first rows of each table as they were read. */
function Previews({ previews }: { previews: Preview[] }) {
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
        <SegmentedControl
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
      <DataTable
        box={`First rows: ${names[at]?.[1]}`}
        look="framed rows"
        rows={preview.rows}
        keyOf={(_, index) => index}
        columns={preview.columns.map((head, column) => ({
          head,
          cell: (row: Preview["rows"][number]) => row[column],
        }))}
      />
    </div>
  );
}

function suffix(previews: Preview[], index: number): string {
  const earlier = previews
    .slice(0, index)
    .filter(({ table }) => table === previews[index]?.table).length;
  return earlier ? ` ${earlier + 1}` : "";
}
