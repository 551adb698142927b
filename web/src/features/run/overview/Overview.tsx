// The overview of a run: what it changed and where that matters first, the record of the run last.
import type { ReactNode } from "react";

import { Card, Fold } from "../../../components/Card";
import { useRoute } from "../../../app/route";
import { hasScores } from "../../../domain/run";
import type { Changes } from "../../../domain/tableState";
import { useRun } from "../context";
import { useTable } from "../useTable";
import { LineBar } from "../line/LineBar";
import { useLine } from "../line/useLine";
import { Certificate, Consensus, Provenance, Reading, SettingsList } from "./RunRecord";
import { ChangesOfPlace, LargestMoves } from "./LargestChanges";
import { Distributions, InsideLevels } from "./Histograms";
import { UncertaintyCard } from "./UncertaintyCard";
import { HowToRead } from "./HowToRead";
import { Issues } from "./Issues";
import { KeyFigures } from "./KeyFigures";
import { SlopeChart } from "./SlopeChart";
import { ValidationCurve } from "./ValidationCurve";
import "./overview.css";

/** `children` come before the record of the run. */
export function Overview({ children }: { children?: ReactNode }) {
  const { view } = useRun().run;
  const chair = view.viewer.role === "chair";
  const scores = hasScores(view);
  const table = useTable();
  const line = useLine(table);
  const { base, search } = useRun();
  const { go } = useRoute();
  const toPapers = (changes: Changes) => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes))
      if (value) query.set(name, value);
      else query.delete(name);
    go(`${base || "/"}?${query}`);
  };
  return (
    <div className="stack overview">
      <KeyFigures />
      <HowToRead />
      <Card look="tight" title="Around the line">
        <LineBar table={table} line={line} onPart={toPapers} />
        <SlopeChart table={table} />
      </Card>
      <UncertaintyCard line={line} />
      <Consensus />
      <ChangesOfPlace table={table} />
      {scores && (
        <div className="overview-columns">
          <InsideLevels />
          <Distributions />
        </div>
      )}
      <Issues />
      <Reading />
      {children}
      <Fold title="For the record" hint="How it was computed, checked and from which files">
        <div className="overview-columns">
          <div className="stack">
            <ValidationCurve />
            <Certificate />
          </div>
          <div className="stack">
            <SettingsList />
            <Provenance chair={chair} />
          </div>
        </div>
        {scores && <LargestMoves />}
      </Fold>
    </div>
  );
}
