// The statistics of a paper before and after.
import { COLUMN_NAMES } from "../../../domain/columns";
import { fixed, statisticDigits } from "../../../domain/format";
import { statisticOf, type Mode } from "../../../domain/run";
import { STATISTICS, type Statistic } from "../../../domain/statistics";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { useRun } from "../context";
import { Move } from "../marks";

const ROWS: Record<Mode, string> = {
  given: "Given scores",
  dequantized: "Dequantized",
  percentile: "Percentiles",
};

export function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const moved = (statistic: Statistic) =>
    statisticOf(run, "dequantized", paper, statistic) - statisticOf(run, "given", paper, statistic);
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
                <Move by={moved(statistic)} />
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
          {fixed(statisticOf(run, mode, paper, statistic), digits[statistic])}
        </td>
      ))}
    </tr>
  );
}
