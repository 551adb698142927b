// The key figures of a run: how many papers were tied before, and how many are now.
import { useMemo } from "react";

import { count } from "../../../domain/format";
import { STATISTIC_WORDS } from "../../../domain/glossary";
import { placesOf, tieBroken, type RankBy, type Ranges } from "../../../domain/places";
import type { Run } from "../../../domain/run";
import { tieCounts } from "../../../domain/ties";
import { useRun } from "../context";
import { useTable } from "../useTable";

function figuresOf(run: Run, { statistic, desc }: RankBy) {
  const of = ({ first }: Ranges) => tieCounts(Array.from(first, (place) => place || Number.NaN));
  const places = placesOf(run, "dequantized", { statistic, desc });
  const papers = [...run.reviewsOf.keys()];
  return {
    before: of(places.before),
    after: of(places.now),
    broken: papers.filter((paper) => tieBroken(places, paper)).length,
  };
}

export function KeyFigures() {
  const { run } = useRun();
  const { rankBy } = useTable();
  const { before, after, broken } = useMemo(() => figuresOf(run, rankBy), [run, rankBy]);
  const whose = run.view.viewer.role === "chair" ? "Papers" : "Your papers";
  return (
    <dl className="key-figures">
      <Item
        name={`${whose} tied with another`}
        value={`${count(before.tied)} → ${count(after.tied)}`}
        hint={`by ${rankBy.statistic}, given → dequantized`}
      />
      <Item
        name={`Distinct ${STATISTIC_WORDS[rankBy.statistic].plural}`}
        value={`${count(before.distinct)} → ${count(after.distinct)}`}
        hint="given → dequantized"
      />
      <Item name="Papers whose tie is broken" value={count(broken)} hint="tied before, not now" />
      <Item
        name={whose}
        value={count(run.papers)}
        hint={`${count(run.reviews)} reviews by ${count(run.view.reviewers.length)} reviewers`}
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
