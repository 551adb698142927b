// One row per paper, with its place and mean in every run.
import { Link, useRoute } from "../../app/route";
import { Button } from "../../components/buttons";
import { DataTable } from "../../components/DataTable";
import { changesSide, whyOf, type Row } from "./comparison";
import { capitalized, count, DIGITS, fixed } from "../../domain/format";
import { numberAt, type Run } from "../../domain/run";

export function CompareTable({
  rows,
  runs,
  names,
  ids,
  sides,
}: {
  rows: Row[];
  runs: Run[];
  names: string[];
  ids: string[];
  sides: boolean; // whether there is a line
}) {
  const { set } = useRoute();
  const tracks = runs.some(({ view }) => view.papers.track);
  if (!rows.length)
    return (
      <p className="soft">
        No papers match.{" "}
        <Button onClick={() => set({ q: null, changing: null })}>Clear filters</Button>
      </p>
    );
  // Link to the paper in the last run that has it.
  const last = ({ values }: Row) =>
    ids[values.findLastIndex((value) => !Number.isNaN(value))] ?? "";
  return (
    <DataTable
      label="Papers side by side"
      look="card framed compare row-blocks"
      most={200}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: "Paper",
          cell: (row) => (
            <Link to={`/r/${last(row)}/paper/${encodeURIComponent(row.id)}`}>{row.id}</Link>
          ),
          names: true,
        },
        ...names.map((name, run) => ({
          head: name,
          cell: (row: Row) => <PlaceAndMean row={row} run={run} />,
          number: true,
          named: true,
          look: "nowrap",
        })),
        sides && {
          head: "Side",
          cell: (row) => (changesSide(row) ? row.sides.join(" → ") : row.sides[0]),
          look: (row) => `nowrap ${changesSide(row) ? tone(row.rank) : "soft"}`,
        },
        {
          head: "Places",
          cell: ({ rank }) => places(rank),
          number: true,
          look: ({ rank }) => `nowrap ${tone(rank)}`,
        },
        { head: "Title", cell: ({ title }) => title, look: "title" },
        tracks && { head: "Track", cell: ({ track }) => track, look: "soft" },
        { head: "Why", cell: (row) => capitalized(whyOf(runs, row)), look: "why" },
      ]}
    />
  );
}

/** "12 6.214", of a paper in one of the runs. */
function PlaceAndMean({ row, run }: { row: Row; run: number }) {
  const value = numberAt(row.values, run);
  if (Number.isNaN(value)) return <span className="soft">not in this run</span>;
  return (
    <>
      <strong>{count(numberAt(row.places, run))}</strong>{" "}
      <span className="soft">{fixed(value, DIGITS.dequantized)}</span>
    </>
  );
}

const tone = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "soft");

function places(change: number): string {
  if (Number.isNaN(change)) return "–";
  if (!change) return "0";
  return change > 0 ? `↑ ${count(change)}` : `↓ ${count(-change)}`;
}
