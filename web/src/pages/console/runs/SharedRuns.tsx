// What an area chair may open.
import { ScrollBox } from "../../../parts/ScrollBox";
import { TableHead } from "../../../parts/TableHead";
import { When } from "../../../parts/When";
import { Link } from "../../../state/route";
import type { ConferencePageProps } from "../ConferenceFrame";

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
                <When at={finished ?? created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
