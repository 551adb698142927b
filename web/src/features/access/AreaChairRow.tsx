// One area chair.
import type { Schemas } from "../../api/client";
import { Link } from "../../app/route";
import { LinkList } from "./LinkList";

export function AreaChairRow({
  person: { name, email, papers, links },
  preview,
  busy,
  onMake,
  changed,
}: {
  person: Schemas["AreaChair"];
  preview: string | null; // the address of a run as they see it
  busy: boolean;
  onMake(): void;
  changed(): void;
}) {
  return (
    <tr>
      <th scope="row" className="person">
        {name}
      </th>
      <td className="soft on-wide">{email ?? "–"}</td>
      <td className="number">{papers}</td>
      <td>
        <LinkList links={links} whose={name} changed={changed} />
      </td>
      <td className="actions">
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={onMake}
          aria-label={`Make link for ${name}`}
        >
          Make link
        </button>{" "}
        {preview && (
          <Link to={preview} className="button quiet" aria-label={`Preview as ${name}`}>
            Preview
          </Link>
        )}
      </td>
    </tr>
  );
}
