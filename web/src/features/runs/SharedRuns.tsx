// What an area chair may open.
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { Time } from "../../components/Time";
import { Link } from "../../app/route";
import type { ConferencePageProps } from "../conferences/ConferenceFrame";

export function SharedRuns({ conference }: ConferencePageProps) {
  if (!conference.runs.length)
    return <p className="soft">The chairs have not shared any results yet.</p>;
  return (
    <ScrollBox label="Runs" className="card flush">
      <table className="plain" aria-label="Runs">
        <TableHead columns={["Name", "Finished"]} />
        <tbody>
          {conference.runs.map(({ id, name, finished, created }) => (
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
        </tbody>
      </table>
    </ScrollBox>
  );
}
