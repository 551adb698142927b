// Who did what, newest first.
import { useState } from "react";

import type { Schemas } from "../../api/client";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { Waiting } from "../../components/Waiting";
import { Time } from "../../components/Time";
import type { Answer } from "../../app/useAnswer";

const AT_FIRST = 50;

export function AccessLog({ answer }: { answer: Answer<Schemas["LogEntry"][]> }) {
  const [all, setAll] = useState(false);
  const entries = answer.data;
  const shown = all ? entries : entries?.slice(0, AT_FIRST);
  return (
    <section className="card stack" aria-labelledby="log">
      <div className="row spread">
        <h2 id="log">Log</h2>
        <button type="button" className="button quiet" onClick={answer.again}>
          Refresh
        </button>
      </div>
      {!shown && <Waiting problem={answer.problem} again={answer.again} />}
      {shown?.length === 0 && <p className="soft">Nothing yet.</p>}
      {shown && shown.length > 0 && (
        <ScrollBox label="Log entries" className="framed">
          <table className="plain" aria-label="Log">
            <TableHead columns={["When", "Who", "Did", "What"]} />
            <tbody>
              {shown.map((entry, index) => (
                <tr key={index}>
                  <td className="soft nowrap">
                    <Time at={entry.when} />
                  </td>
                  <td>{entry.who}</td>
                  <td className="nowrap">{entry.action}</td>
                  <td>{entry.detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {entries && !all && entries.length > AT_FIRST && (
        <div>
          <button type="button" className="button" onClick={() => setAll(true)}>
            Show all {entries.length.toLocaleString("en")}
          </button>
        </div>
      )}
    </section>
  );
}
