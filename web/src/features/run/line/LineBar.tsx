// The line: how many papers to accept, and in one sentence what that means. Its parts filter the table.
import { useContext, Fragment, useState } from "react";

import { Link } from "../../../app/route";
import { Button, Menu, MenuItem } from "../../../components/buttons";
import { Checkbox } from "../../../components/choices";
import { TextField } from "../../../components/fields";
import { PlainTable } from "../../../components/DataTable";
import { causedBy } from "../../../domain/reviewerContradictions";
import { count, counted } from "../../../domain/format";
import {
  acceptText,
  sumOf,
  trackRows,
  type Accept,
  type Line,
  type Part,
} from "../../../domain/line";
import type { Run } from "../../../domain/run";
import { readAmount, writeAccept, writeFilter } from "../../../domain/tableState";
import { useRun, useActions, SearchContext } from "../context";
import { useTable } from "../useTable";
import { chancesGoByTheMean, lineText, PART_NAMES, PART_TEXTS } from "./lineWords";
import "./line.css";

interface LineBarProps {
  onGo?: (() => void) | undefined; // scrolls to the line; absent where no rule is drawn
  onSelect?: ((papers: number[]) => void) | undefined; // absent where papers cannot be selected
}

export function LineBar({ onGo, onSelect }: LineBarProps) {
  const { line } = useTable();
  return (
    <div role="group" aria-label="The line" className="line-bar">
      <div className="line-row">
        <AcceptField onGo={onGo} />
        <LineMenu onGo={onGo} onSelect={onSelect} />
        {line && <LineSentence line={line} />}
        <Trying />
      </div>
      {line && <Contradictions line={line} />}
      {line && <LineHints line={line} />}
    </div>
  );
}

const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };

/** Enter leads to the line. */
function AcceptField({ onGo }: Pick<LineBarProps, "onGo">) {
  const { line: saved } = useRun();
  const table = useTable();
  const { accept } = table.state;
  const text = accept ? acceptText(accept) : "";
  const [draft, setDraft] = useState({ text, accept: text });
  // Changed from outside: drop what was typed.
  const typed = draft.accept === text ? draft.text : text;
  const put = (next: Accept | null, shown: string) => {
    setDraft({ text: shown, accept: next ? acceptText(next) : "" });
    table.set(writeAccept(next));
  };
  const type = (shown: string) => {
    const amount = readAmount(shown);
    if (amount) put({ ...amount, perTrack: accept?.perTrack ?? false }, shown);
    else if (!shown.trim() && !saved) put(null, shown);
    else setDraft({ text: shown, accept: text }); // a typo moves no line, nor does an empty field
  };
  const wrong = typed.trim() !== "" && readAmount(typed) === null;
  return (
    <TextField
      beside
      label="Accept"
      look="accept number"
      inputMode="decimal"
      placeholder="500, 25%"
      mistake={
        wrong
          ? `A number of papers, or a share such as 25%.${accept ? ` The line stays at ${text}.` : ""}`
          : undefined
      }
      value={typed}
      onChange={type}
      onBlur={() => !wrong && setDraft({ text, accept: text })}
      onKeyDown={(event) => {
        if (event.key === "Enter") onGo?.();
        const step = steps[event.key];
        if (!step || !accept) return;
        event.preventDefault();
        type(acceptText({ ...accept, amount: Math.max(0, accept.amount + step) }));
      }}
    />
  );
}

/** "of 2,000": the tracks, and what can be done with the line. */
function LineMenu({ onGo, onSelect }: LineBarProps) {
  const table = useTable();
  const { line } = table;
  const { run, line: saved } = useRun();
  const actions = useActions();
  const total = `of ${count(run.papers)}`;
  if (!line) return <span>{total}</span>;
  const { accept } = line;
  const isAbove = (paper: number) => line.above[paper] === 1;
  const acts: [string, () => void][] = [];
  if (onGo) acts.push(["Go to the line", onGo]);
  for (const side of onSelect ? ["above", "below"] : []) {
    const papers = table.papers.filter((paper) => isAbove(paper) === (side === "above"));
    const text = `Select the ${counted(papers.length, "paper")} ${side} the line`;
    if (papers.length) acts.push([text, () => onSelect?.(papers)]);
  }
  if (saved && actions.saveLine) acts.push(["Remove the line for all chairs", removeLine]);
  return (
    <Menu
      left
      text={accept.perTrack ? `${total}, in each track` : total}
      label={`The line: ${total}`}
    >
      <div className="line-menu">
        {run.view.papers.track && (
          <>
            <Checkbox
              checked={accept.perTrack}
              onChange={(perTrack) => table.set(writeAccept({ ...accept, perTrack }))}
            >
              in each track
            </Checkbox>
            <Tracks line={line} />
          </>
        )}
        {acts.map(([text, act]) => (
          <MenuItem key={text} onClick={act}>
            {text}
          </MenuItem>
        ))}
      </div>
    </Menu>
  );

  function removeLine() {
    actions.saveLine?.(null);
    table.set(writeAccept(null));
  }
}

/** "480 in each of 9 tracks = 1,900 papers, all of them." */
function everybodyText(run: Run, line: Line, { amount, percent, perTrack }: Accept): string {
  const all = `${counted(run.papers, "paper")}, all of them.`;
  const tracks = counted(trackRows(run, line).length, "track");
  return perTrack && !percent
    ? `${count(amount)} in each of ${tracks} = ${all}`
    : `The line accepts ${all}`;
}

/** The table of tracks: papers, room, in, tied, too close to call. */
function Tracks({ line }: { line: Line }) {
  const { run } = useRun();
  const rows = trackRows(run, line);
  const close = line.chances !== null;
  return (
    <PlainTable
      label="Tracks"
      rows={rows}
      keyOf={({ track }) => track ?? ""}
      columns={[
        {
          head: "Track",
          cell: ({ track }) => track ?? "no track",
          names: true,
          look: "track-name",
        },
        { head: "Papers", cell: ({ papers }) => count(papers), number: true },
        line.accept.perTrack && {
          head: "Room",
          cell: ({ room }) => count(room ?? 0),
          number: true,
        },
        { head: "In", cell: (row) => count(row.in), number: true },
        { head: "Tied", cell: ({ tied }) => count(tied), number: true },
        close && { head: "Too close", cell: (row) => count(row.close), number: true },
      ]}
    />
  );
}

/** The line as a sum, "480 in: 442 as before · 34 of the 51 that were tied for the last 30 places, 4 from
 * below · 8 drop out", then "too close to call: 307". */
function LineSentence({ line }: { line: Line }) {
  const table = useTable();
  const { counts } = line;
  const sum = sumOf(line);
  const chosen = table.state.filter.part;
  const part = (name: Part, text: string) =>
    counts[name] || chosen === name ? (
      <button
        type="button"
        aria-pressed={chosen === name}
        title={PART_TEXTS[name]}
        onClick={() => table.set(writeFilter({ part: chosen === name ? null : name }))}
      >
        {text}
      </button>
    ) : (
      text
    );
  const come = [sum.tie, sum.below].filter(Boolean).join(", ");
  return (
    <ul className="bare" aria-label="Papers around the line">
      <li title={PART_TEXTS.stay}>{[sum.in, sum.stay].filter(Boolean).join(": ")}</li>
      {(come || chosen === "in") && <li className="up">{part("in", come || "none comes in")}</li>}
      {(sum.tied || chosen === "tied") && <li>{part("tied", sum.tied || "none tied")}</li>}
      <li className="down">{part("out", sum.out)}</li>
      {line.chances && (
        <li className="apart">
          {part("close", `${PART_NAMES.close.toLowerCase()}: ${count(counts.close)}`)}
        </li>
      )}
    </ul>
  );
}

/** Trying a line is not setting it: the chairs' line changes when somebody keeps the new one. */
function Trying() {
  const table = useTable();
  const { line: saved } = useRun();
  const actions = useActions();
  const { accept } = table.state;
  const { saveLine } = actions;
  if (!saveLine || !accept || same(accept, saved)) return null;
  return (
    <span className="row trying no-print" role="status">
      Trying {lineText(accept)}
      <Button onClick={() => saveLine(accept)}>Keep for all chairs</Button>
      {saved && (
        <Button look="quiet" onClick={() => table.set(writeAccept(null))}>
          Back to {lineText(saved)}
        </Button>
      )}
    </span>
  );
}

const same = (one: Accept, two: Accept | null): boolean =>
  two !== null && lineText(one) === lineText(two);

/** Papers that cross the line only because a reviewer contradicts their own score. */
function Contradictions({ line }: { line: Line }) {
  const table = useTable();
  const { run, base } = useRun();
  const search = useContext(SearchContext);
  const sides = (["out", "in"] as const)
    .map((part) => ({ part, caused: causedBy(run, table.rankBy, line, part) }))
    .filter(({ caused }) => caused > 0);
  if (!sides.length) return null;
  const names = { out: "that drop out", in: "from the tie or from below" };
  return (
    <p className="line-warning">
      <span aria-hidden="true">⚠ </span>
      {sides.map(({ part, caused }, index) => (
        <Fragment key={part}>
          {index > 0 && " and "}
          <button
            type="button"
            className="linklike"
            onClick={() => table.set(writeFilter({ part, contradicts: true }))}
          >
            {count(caused)} of the {count(line.counts[part])} {names[part]}
          </button>
        </Fragment>
      ))}
      {": a reviewer ranks against their own score. "}
      <Link className="no-print" to={`${base}/overview${search}`}>
        Ask these reviewers
      </Link>
    </p>
  );
}

function LineHints({ line }: { line: Line }) {
  const { run } = useRun();
  const table = useTable();
  const { statistic } = table.rankBy;
  const { part } = table.state.filter;
  const hints = [
    line.places === run.papers && everybodyText(run, line, line.accept),
    line.unfilled > 0 &&
      `${counted(line.unfilled, "place")} not filled: no more papers have scores.`,
    part && PART_TEXTS[part],
    line.chances && statistic !== "mean" && chancesGoByTheMean(statistic),
  ].filter(Boolean);
  return hints.length ? <p className="hint">{hints.join(" ")}</p> : null;
}
