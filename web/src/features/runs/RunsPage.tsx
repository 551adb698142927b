// The runs of a conference: all of them for chairs, the shared ones for area chairs.
import type { Conference, RunSummary } from "../../api/types";
import { Link } from "../../app/route";
import { useMe } from "../../app/session";
import { ScrollBox } from "../../components/ScrollBox";
import { PlainTable } from "../../components/PlainTable";
import { Time } from "../../components/DefinitionList";
import { ChairRuns } from "./ChairRuns";
import "./runs.css";

export function RunsPage({ conference }: { conference: Conference }) {
  const chair = useMe().role === "chair";
  return chair ? <ChairRuns conference={conference} /> : <SharedRuns runs={conference.runs} />;
}

function SharedRuns({ runs }: { runs: RunSummary[] }) {
  if (!runs.length) return <p className="soft">The chairs have not shared any results yet.</p>;
  return (
    <ScrollBox label="Runs" className="card flush">
      <PlainTable label="Runs" columns={["Name", "Finished"]}>
        {runs.map(({ id, name, finished, created }) => (
          <tr key={id}>
            <td>
              <Link to={`/r/${id}`} className="strong">
                {name}
              </Link>
            </td>
            <td className="soft">
              <Time at={finished ?? created} />
            </td>
          </tr>
        ))}
      </PlainTable>
    </ScrollBox>
  );
}
