// The overview of a run: figures, settings, provenance, largest moves, issues.
import { useRun } from "../context";
import { Certificate } from "./Certificate";
import { Distributions } from "./Distributions";
import { KeyFigures } from "./KeyFigures";
import { LargestMoves } from "./LargestMoves";
import { Issues } from "./Issues";
import { Provenance } from "./Provenance";
import { SettingsList } from "./SettingsList";
import { ValidationCurve } from "./ValidationCurve";
import "./overview.css";

export function Overview() {
  const { view } = useRun().run;
  const chair = view.viewer.role === "chair";
  return (
    <div className="stack overview">
      <KeyFigures />
      <div className="overview-columns">
        <div className="stack">
          <Distributions />
          <ValidationCurve />
          <Certificate />
        </div>
        <div className="stack">
          <SettingsList />
          <Provenance chair={chair} />
        </div>
      </div>
      <LargestMoves />
      <Issues />
    </div>
  );
}
