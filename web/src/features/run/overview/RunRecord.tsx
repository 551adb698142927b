// The record of a run: its files, settings and versions, what was read, and what was proven.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { DefinitionList, Lines, numbers, ScrollTable } from "../../../components/tables";
import { useRun } from "../context";
import type { View } from "../../../api/types";
import {
  bound,
  count,
  counted,
  fixed,
  lambdaText,
  LEAST_MOVE,
  scoreLabel,
  scoreText,
} from "../../../domain/format";
import { numberAt, reviewAt } from "../../../domain/run";
import { Move, PaperLink } from "../inline";
import { POLICIES, TERMS, UNRANKED, ROUNDING_RANGE, type Entry } from "../../../domain/glossary";
import { insideRange } from "../../../domain/charts";

export function Provenance({ chair }: { chair: boolean }) {
  const { view } = useRun().run;
  const { inputs = [], versions = {} } = view.run;
  return (
    <Card look="tight" title="Provenance">
      <DefinitionList
        className="pairs"
        items={[
          ["Run", view.name],
          ...(view.finished ? [["Finished", utc(view.finished)] as const] : []),
          [
            "Versions",
            Object.entries(versions)
              .map((pair) => pair.join(" "))
              .join(", "),
          ],
        ]}
      />
      {chair && inputs.length > 0 && (
        <ScrollTable label="Input files" columns={["File", "SHA-256"]}>
          {inputs.map(({ file, sha256 }) => (
            <tr key={file}>
              <th scope="row">{file}</th>
              <td className="mono hash">{sha256}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
    </Card>
  );
}

const utc = (at: string) => <time dateTime={at}>{at.slice(0, 16).replace("T", " ")} UTC</time>;

/** What was recognised in the files, and what was assumed or left out. */
export function Reading() {
  const { read = [] } = useRun().run.view.run;
  if (!read.length) return null;
  return (
    <Card look="tight" title="What was read from the files">
      <Lines lines={read} look="read" />
    </Card>
  );
}

/** The settings that the chair chose. */
export function SettingsList() {
  const { view } = useRun().run;
  const { settings, lam } = view.run;
  return (
    <Card look="tight" title="Settings">
      <DefinitionList
        className="pairs"
        items={[
          [TERMS.lambda.title, lambdaText(lam)],
          ["λ setting", lambdaText(settings.lam)],
          [TERMS.epsilon.title, String(settings.epsilon)],
          ["Scale", scaleText(view)],
          ["Contradictions", explained(POLICIES, settings.conflicts)],
          ["Unranked papers", explained(UNRANKED, settings.unranked)],
          [
            "Papers said to be about the same",
            settings.same_within === null ? "no bound" : `within ${settings.same_within}`,
          ],
        ]}
      />
    </Card>
  );
}

/** Every level, and for chairs where the scale came from. */
const scaleText = (view: View): string => {
  const { scale_origin } = view.run.settings;
  const levels = view.scale.levels.map((level) => scoreText(view, level)).join(", ");
  return scale_origin ? `${levels} (${scale_origin})` : levels;
};

/** "Stop and ask: stop and list …"; a value without an entry stays as it is. */
function explained(group: Partial<Record<string, Entry>>, name: string): string {
  const entry = group[name];
  return entry ? `${entry.title}: ${entry.text}` : name;
}

/** What was proven of the scores. */
export function Certificate() {
  const { run } = useRun();
  const { certificate } = run.view.run;
  const outside = useMemo(() => insideRange(run.view, null).outside, [run]);
  if (!certificate) return null;
  const { max_error, max_violation } = certificate;
  const within = max_violation === 0 ? "" : `, to within ${bound(max_violation)}`;
  return (
    <Card look="tight" title="Certificate">
      <p>
        {TERMS.checked.title} {bound(max_error)}. {TERMS.checked.text}
      </p>
      <p>
        {outside
          ? `Trust the rankings: ${count(outside)} of ${counted(run.reviews, "score")} lie outside the ${ROUNDING_RANGE} of the given score, all others inside it.`
          : `Every score lies in its ${ROUNDING_RANGE}.`}{" "}
        Every ranking that was used holds{within}.
      </p>
    </Card>
  );
}

const MOVES_SHOWN = 20;
/** The parts that a move is the sum of. */
const PARTS = [
  ["consensus", "Other reviews"],
  ["ranking", "Ranking"],
  ["cell", "Range"],
] as const;
/** The reviews that moved furthest, by their index. */
function largest({ reviews }: View): number[] {
  const moves = reviews.dequantized.map((value, review) =>
    Math.abs(value - numberAt(reviews.score, review)),
  );
  const size = (review: number) => numberAt(moves, review);
  return [...moves.keys()]
    .filter((review) => size(review) >= LEAST_MOVE)
    .sort((a, b) => size(b) - size(a) || a - b)
    .slice(0, MOVES_SHOWN);
}

export function LargestMoves() {
  const { view } = useRun().run;
  const moved = useMemo(() => largest(view), [view]);
  if (!moved.length)
    return (
      <section className="stack tight">
        <h3>Reviews that moved most</h3>
        <p>No review moved.</p>
      </section>
    );
  return (
    <section className="stack tight">
      <h3>Reviews that moved most</h3>
      <p className="hint">
        How far a review moved, and how much of that is due to the paper's other reviews, to the
        reviewer's ranking and to the end of its {ROUNDING_RANGE}.
      </p>
      <ScrollTable
        label="Table of the largest moves"
        columns={[
          "Paper",
          Boolean(view.papers.title) && "Title",
          "Reviewer",
          ...numbers("Given", "New score", "Move"),
          ...PARTS.map(([, text]) => ({ text, className: "number" })),
        ]}
      >
        {moved.map((review) => {
          const row = reviewAt(view, review);
          return (
            <tr key={review}>
              <td>
                <PaperLink paper={row.paper}>{view.papers.paper[row.paper]}</PaperLink>
              </td>
              {view.papers.title && <td className="title">{view.papers.title[row.paper]}</td>}
              <td>{view.reviewers[row.reviewer]}</td>
              <td className="number">{scoreLabel(view, row.score)}</td>
              <td className="number">{fixed(row.dequantized, 3)}</td>
              <td className="number">
                <Move by={row.move} />
              </td>
              {PARTS.map(([part]) => (
                <td key={part} className="number">
                  <Move by={row[part]} />
                </td>
              ))}
            </tr>
          );
        })}
      </ScrollTable>
    </section>
  );
}
