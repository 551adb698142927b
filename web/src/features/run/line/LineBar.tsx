// The line: how many papers to accept, and what rounding left open there. Each part filters the table.
import { useState } from "react";

import { Checkbox } from "../../../components/choices";
import { count, counted } from "../../../domain/format";
import type { Accept, Part } from "../../../domain/line";
import {
  acceptText,
  readAmount,
  writeAccept,
  writeFilter,
  type Changes,
} from "../../../domain/tableState";
import { useRun } from "../context";
import type { Table } from "../useTable";
import { chancesGoByTheMean, settledBy, PART_TEXTS, type ShownLine } from "./useLine";
import "./line.css";

export function LineBar({
  table,
  line,
  onGo,
  onPart = table.set,
}: {
  table: Table;
  line: ShownLine | null;
  onGo?: (() => void) | undefined; // scrolls to the line; absent where no rule is drawn
  onPart?: (changes: Changes) => void; // filters the table to a part
}) {
  return (
    <div role="group" aria-label="The line" className="line-bar">
      <AcceptField table={table} />
      {line && <LineCard table={table} line={line} onGo={onGo} onPart={onPart} />}
    </div>
  );
}

const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };

function AcceptField({ table }: { table: Table }) {
  const { run, actions } = useRun();
  const { accept } = table.state;
  const text = accept ? acceptText(accept) : "";
  const [draft, setDraft] = useState({ text, accept: text });
  // Changed from outside: drop what was typed.
  const typed = draft.accept === text ? draft.text : text;
  const perTrack = accept?.perTrack ?? false;
  const put = (next: Accept | null, shown: string) => {
    setDraft({ text: shown, accept: next ? acceptText(next) : "" });
    actions.saveLine?.(next);
    table.set(writeAccept(next));
  };
  const type = (shown: string) => {
    const amount = readAmount(shown);
    if (amount) put({ ...amount, perTrack }, shown);
    else if (!shown.trim()) put(null, shown);
    else setDraft({ text: shown, accept: text }); // a typo moves no line
  };
  const wrong = typed.trim() !== "" && readAmount(typed) === null;
  return (
    <div className="row end no-print">
      <label className="labelled">
        <span>Accept</span>
        <input
          type="text"
          inputMode="decimal"
          className="input narrow number"
          placeholder="500 or 25%"
          aria-invalid={wrong}
          aria-describedby={wrong ? "accept-hint" : undefined}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            const step = steps[event.key];
            if (!step || !accept) return;
            event.preventDefault();
            const amount = Math.max(0, accept.amount + step);
            type(acceptText({ ...accept, amount }));
          }}
        />
      </label>
      {run.view.papers.track && (
        <Checkbox
          checked={perTrack}
          disabled={!accept}
          onChange={(checked) => accept && put({ ...accept, perTrack: checked }, typed)}
        >
          in each track
        </Checkbox>
      )}
      {wrong && (
        <span id="accept-hint" className="hint">
          A number of papers, or a share such as 25%.
          {accept && ` The line stays at ${text}.`}
        </span>
      )}
    </div>
  );
}

function LineCard({
  table,
  line,
  onGo,
  onPart,
}: {
  table: Table;
  line: ShownLine;
  onGo: (() => void) | undefined;
  onPart(changes: Changes): void;
}) {
  const { run } = useRun();
  const { counts, open, unfilled } = line;
  const { part: chosen } = table.state.filter;
  const part = (name: Part, text: string) => (
    <li key={name}>
      <button
        type="button"
        aria-pressed={chosen === name}
        disabled={!counts[name] && chosen !== name}
        title={PART_TEXTS[name]}
        onClick={() => onPart(writeFilter({ part: chosen === name ? null : name }))}
      >
        {text}
      </button>
    </li>
  );
  return (
    <div className="line-card">
      <ul aria-label="Papers around the line">
        {part("clear", `${count(counts.clear)} clear`)}
        {part(
          "tied",
          counts.tied
            ? `${count(counts.tied)} tied for ${counted(open, "place")}`
            : "none tied at the line",
        )}
        {counts.tied > 0 &&
          part("settled", `settled by ${settledBy(run)}: ${count(counts.settled)}`)}
        {part("undecided", `undecided: ${count(counts.undecided)}`)}
        {counts.in > 0 && part("in", `risen above: ${count(counts.in)}`)}
        {counts.out > 0 && part("out", `fallen below: ${count(counts.out)}`)}
        {line.chances && part("grey", `grey zone: ${count(counts.grey)}`)}
        {onGo && (
          <li className="no-print">
            <button type="button" className="quiet" onClick={onGo}>
              Go to the line
            </button>
          </li>
        )}
      </ul>
      {unfilled > 0 && (
        <p className="hint">{counted(unfilled, "place")} not filled: no more papers have scores.</p>
      )}
      {chosen && <p className="hint">{PART_TEXTS[chosen]}</p>}
      {line.chances && table.rankBy.statistic !== "mean" && (
        <p className="hint">{chancesGoByTheMean(table.rankBy.statistic)}</p>
      )}
    </div>
  );
}
