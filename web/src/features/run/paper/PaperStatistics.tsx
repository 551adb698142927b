// The statistics of a paper before and after.
import { leastDigits } from "../../../domain/digits";
import { DIGITS, fixed } from "../../../domain/format";
import { hasScores, statisticOf, type Mode } from "../../../domain/run";
import { useRun } from "../context";
import { Move } from "../inline";
import { BoxTable, numbers } from "../../../components/tables";
import { STATISTIC_WORDS, STATISTICS, type Statistic } from "../../../domain/glossary";

export function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const digits = (mode: Mode, statistic: Statistic) =>
    mode === "given" ? leastDigits(run.view, mode, statistic) : DIGITS[mode];
  const scores = hasScores(run.view);
  const shown: Mode[] = scores ? ["given", "dequantized"] : ["given"];
  return (
    <BoxTable
      look="card"
      label="Statistics before and after"
      columns={[
        { text: "Statistic", hidden: true },
        ...numbers("Given"),
        ...(scores ? numbers("New", "Moved by") : []),
      ]}
    >
      {STATISTICS.map((statistic) => {
        const of = (mode: Mode) => statisticOf(run, mode, paper, statistic);
        return (
          <tr key={statistic}>
            <th scope="row">{STATISTIC_WORDS[statistic].title}</th>
            {shown.map((mode) => (
              <td key={mode} className="number">
                {fixed(of(mode), digits(mode, statistic))}
              </td>
            ))}
            {scores && (
              <td className="number">
                <Move
                  by={of("dequantized") - of("given")}
                  digits={digits("dequantized", statistic)}
                />
              </td>
            )}
          </tr>
        );
      })}
    </BoxTable>
  );
}
