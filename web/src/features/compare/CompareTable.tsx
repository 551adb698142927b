// One row per paper, with its place and mean in every run.
import { useState } from "react";

import { Link, useRoute } from "../../app/route";
import { Button } from "../../components/buttons";
import { BoxTable, numbers } from "../../components/tables";
import { changesSide, whyOf, type Row } from "./comparison";
import { capitalized, count, DIGITS, fixed } from "../../domain/format";
import { numberAt, type Run } from "../../domain/run";

const AT_FIRST = 200; // rows

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
  const [all, setAll] = useState(false);
  const tracks = runs.some(({ view }) => view.papers.track);
  if (!rows.length)
    return (
      <p className="soft">
        No papers match.{" "}
        <Button onClick={() => set({ q: null, changing: null })}>Clear filters</Button>
      </p>
    );
  return (
    <>
      <BoxTable
        label="Papers side by side"
        look="card framed compare row-blocks"
        columns={[
          "Paper",
          ...numbers(...names),
          sides && "Side",
          ...numbers("Places"),
          "Title",
          tracks && "Track",
          "Why",
        ]}
      >
        {rows.slice(0, all ? rows.length : AT_FIRST).map((row) => (
          <CompareRow
            key={row.id}
            row={row}
            why={capitalized(whyOf(runs, row))}
            names={names}
            ids={ids}
            tracks={tracks}
            sides={sides}
          />
        ))}
      </BoxTable>
      {!all && rows.length > AT_FIRST && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {count(rows.length)}</Button>
        </div>
      )}
    </>
  );
}

/** One paper in every run. */
function CompareRow({
  row,
  why,
  names,
  ids,
  tracks,
  sides,
}: {
  row: Row;
  why: string;
  names: string[];
  ids: string[];
  tracks: boolean;
  sides: boolean;
}) {
  // Link to the paper in the last run that has it.
  const last = ids[row.values.findLastIndex((value) => !Number.isNaN(value))] ?? "";
  return (
    <tr>
      <th scope="row">
        <Link to={`/r/${last}/paper/${encodeURIComponent(row.id)}`}>{row.id}</Link>
      </th>
      {row.values.map((value, run) => (
        <td key={run} data-label={names[run]} className="number nowrap">
          {Number.isNaN(value) ? (
            <span className="soft">not in this run</span>
          ) : (
            <>
              <strong>{count(numberAt(row.places, run))}</strong>{" "}
              <span className="soft">{fixed(value, DIGITS.dequantized)}</span>
            </>
          )}
        </td>
      ))}
      {sides && (
        <td className={`nowrap ${changesSide(row) ? tone(row.rank) : "soft"}`}>
          {changesSide(row) ? row.sides.join(" → ") : row.sides[0]}
        </td>
      )}
      <td className={`number nowrap ${tone(row.rank)}`}>{places(row.rank)}</td>
      <td dir="auto" className="title">
        {row.title}
      </td>
      {tracks && <td className="soft">{row.track}</td>}
      <td className="why">{why}</td>
    </tr>
  );
}

const tone = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "soft");

function places(change: number): string {
  if (Number.isNaN(change)) return "–";
  if (!change) return "0";
  return change > 0 ? `↑ ${count(change)}` : `↓ ${count(-change)}`;
}
