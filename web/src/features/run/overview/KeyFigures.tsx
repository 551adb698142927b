// The key figures of a run.
import { useMemo } from "react";

import { count, fixed, LEAST_MOVE, percent } from "../../../domain/format";
import { numberAt, type View } from "../../../domain/run";
import { tieShare } from "../../../domain/ties";
import { useRun } from "../context";

interface Figures {
  before: number;
  after: number;
  moved: number;
  typical: number;
}

function figuresOf({ reviews }: View): Figures {
  const moves = reviews.dequantized.map((value, review) =>
    Math.abs(value - numberAt(reviews.score, review)),
  );
  const ascending = moves.toSorted((a, b) => a - b);
  return {
    before: tieShare(reviews.score),
    after: tieShare(reviews.dequantized),
    moved: moves.filter((move) => move >= LEAST_MOVE).length,
    typical: ascending[ascending.length >> 1] ?? 0,
  };
}

export function KeyFigures() {
  const { run } = useRun();
  const { before, after, moved, typical } = useMemo(() => figuresOf(run.view), [run.view]);
  return (
    <dl className="key-figures">
      <Item name="Papers" value={count(run.papers)} />
      <Item name="Reviews" value={count(run.reviews)} />
      <Item
        name="Pairs of reviews that are tied"
        value={`${percent(before)} → ${percent(after)}`}
        hint="before and after"
      />
      <Item
        name="Reviews that moved"
        value={percent(run.reviews ? moved / run.reviews : 0)}
        hint={`half of all moved by ${fixed(typical, 3)} or less`}
      />
      <Item name="Papers where a rank contradicts a score" value={count(run.contradicted.size)} />
    </dl>
  );
}

function Item({ name, value, hint }: { name: string; value: string; hint?: string }) {
  return (
    <div className="card">
      <dt>{name}</dt>
      <dd>
        {value}
        {hint && <span className="hint">{hint}</span>}
      </dd>
    </div>
  );
}
