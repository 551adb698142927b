// One area chair.
import type { AreaChair } from "../../api/types";
import { Link } from "../../app/route";
import { LinkList } from "./LinkList";

export function AreaChairRow({
  person: { name, email, papers, links },
  preview,
  busy,
  onMake,
}: {
  person: AreaChair;
  preview: string | null; // the address of a run as this person sees it
  busy: boolean;
  onMake(): void;
}) {
  return (
    <tr>
      <th scope="row" className="person">
        {name}
      </th>
      <td className="soft on-wide">{email ?? "–"}</td>
      <td className="number">{papers}</td>
      <td>
        <LinkList links={links} whose={name} />
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
