// What chairs sort by, before and after.
import { COLUMN_NAMES } from "../../../domain/columns";
import { fixed, statisticDigits } from "../../../domain/format";
import type { Mode } from "../../../domain/run";
import { STATISTICS } from "../../../domain/statistics";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { useRun } from "../context";
import { Move } from "../Move";

const ROWS: Record<Mode, string> = {
  given: "Given scores",
  dequantized: "Dequantized",
  percentile: "Percentiles",
};

export function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const { given, dequantized } = run.statistics;
  return (
    <ScrollRegion label="Statistics" className="card">
      <table className="plain statistics">
        <caption className="visually-hidden">Statistics before and after</caption>
        <thead>
          <tr>
            <td />
            {STATISTICS.map((statistic) => (
              <th key={statistic} scope="col" className="number">
                {COLUMN_NAMES[statistic]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <ModeRow mode="given" paper={paper} />
          <ModeRow mode="dequantized" paper={paper} />
          <tr>
            <th scope="row">Moved by</th>
            {STATISTICS.map((statistic) => (
              <td key={statistic} className="number">
                <Move
                  by={
                    (dequantized[paper]?.[statistic] as number) -
                    (given[paper]?.[statistic] as number)
                  }
                />
              </td>
            ))}
          </tr>
          <ModeRow mode="percentile" paper={paper} />
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function ModeRow({ mode, paper }: { mode: Mode; paper: number }) {
  const { run } = useRun();
  const digits = statisticDigits(run.view, mode);
  return (
    <tr>
      <th scope="row">{ROWS[mode]}</th>
      {STATISTICS.map((statistic) => (
        <td key={statistic} className="number">
          {fixed(run.statistics[mode][paper]?.[statistic] ?? Number.NaN, digits[statistic])}
        </td>
      ))}
    </tr>
  );
}
