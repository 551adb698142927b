// The statistics of a paper before and after.
import { leastDigits } from "../../../domain/digits";
import { DIGITS, fixed } from "../../../domain/format";
import { hasScores, statisticOf, type Mode } from "../../../domain/run";
import { useRun } from "../context";
import { Move } from "../inline";
import { DataTable } from "../../../components/DataTable";
import { STATISTIC_WORDS, STATISTICS, type Statistic } from "../../../domain/glossary";

export function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const digits = (mode: Mode, statistic: Statistic) =>
    mode === "given" ? leastDigits(run.view, mode, statistic) : DIGITS[mode];
  const scores = hasScores(run.view);
  const value = (mode: Mode) => (statistic: Statistic) =>
    fixed(statisticOf(run, mode, paper, statistic), digits(mode, statistic));
  return (
    <DataTable
      look="card"
      label="Statistics before and after"
      rows={STATISTICS}
      keyOf={(statistic) => statistic}
      columns={[
        {
          head: "Statistic",
          cell: (name) => STATISTIC_WORDS[name].title,
          hidden: true,
          names: true,
        },
        { head: "Given", cell: value("given"), number: true },
        scores && { head: "New", cell: value("dequantized"), number: true },
        scores && {
          head: "Moved by",
          cell: (name) => (
            <Move
              by={
                statisticOf(run, "dequantized", paper, name) -
                statisticOf(run, "given", paper, name)
              }
              digits={digits("dequantized", name)}
            />
          ),
          number: true,
        },
      ]}
    />
  );
}
