// The statistics of a paper before and after.
import { COLUMN_NAMES } from "../../../domain/columns";
import { leastDigits, statisticDigits } from "../../../domain/digits";
import { DIGITS, fixed } from "../../../domain/format";
import { hasScores, statisticOf, type Mode } from "../../../domain/run";
import { ScrollRegion } from "../../../components/ScrollBox";
import { useRun } from "../context";
import { Move } from "../inline";
import { useTable } from "../useTable";
import { STATISTICS, type Statistic } from "../../../domain/glossary";

const ROWS: Record<Mode, string> = {
  given: "Given scores",
  dequantized: "Dequantized",
  percentile: "Percentiles",
};

export function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const digits = useDigits();
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
          {hasScores(run.view) && (
            <>
              <ModeRow mode="dequantized" paper={paper} />
              <tr>
                <th scope="row">Moved by</th>
                {STATISTICS.map((statistic) => (
                  <td key={statistic} className="number">
                    <Move by={moved(statistic)} digits={digits("dequantized", statistic)} />
                  </td>
                ))}
              </tr>
              <ModeRow mode="percentile" paper={paper} />
            </>
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** As many decimals as the table has; a dequantized score at least three. */
function useDigits(): (mode: Mode, statistic: Statistic) => number {
  const { run } = useRun();
  const { papers, rankBy } = useTable();
  return (mode, statistic) => {
    if (mode !== "dequantized") return leastDigits(run.view, mode, statistic);
    const sorted = statistic === rankBy.statistic;
    return Math.max(DIGITS[mode], sorted ? statisticDigits(run, mode, statistic, papers) : 0);
  };
}

function ModeRow({ mode, paper }: { mode: Mode; paper: number }) {
  const { run } = useRun();
  const digits = useDigits();
  return (
    <tr>
      <th scope="row">{ROWS[mode]}</th>
      {STATISTICS.map((statistic) => (
        <td key={statistic} className="number">
          {fixed(statisticOf(run, mode, paper, statistic), digits(mode, statistic))}
        </td>
      ))}
    </tr>
  );
}
