// Links just made. Their secrets are not kept: they are shown this once.
import { save } from "../../api/files";
import { CopyButton } from "../../components/CopyButton";
import { Dialog } from "../../components/Dialog";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { linksAsCsv, type MadeLink } from "./links";

export function MadeLinks({ links, onClose }: { links: MadeLink[]; onClose(): void }) {
  const only = links.length === 1 ? links[0] : undefined;
  return (
    <Dialog
      title={only ? `Link for ${only.name ?? "a chair"}` : `${links.length} links`}
      onClose={onClose}
      wide={!only}
    >
      <p>
        {only ? "It is" : "They are"} shown only now: copy{only ? " it" : " or download them"}{" "}
        before you close this. Whoever has a link sees what its owner may see.
      </p>
      {only ? <OneLink link={only} /> : <ManyLinks links={links} />}
    </Dialog>
  );
}

function OneLink({ link }: { link: MadeLink }) {
  return (
    <div className="row">
      <input
        className="input grow mono"
        readOnly
        aria-label="Link"
        value={link.url}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={link.url} />
    </div>
  );
}

function ManyLinks({ links }: { links: MadeLink[] }) {
  const csv = linksAsCsv(links);
  return (
    <>
      <div className="row">
        <CopyButton text={csv} name="Copy all as CSV" />
        <button
          type="button"
          className="button"
          onClick={() => save(new Blob([csv], { type: "text/csv" }), "links.csv")}
        >
          Download CSV
        </button>
      </div>
      <ScrollBox label="Links" className="framed">
        <table className="plain">
          <TableHead columns={["Area chair", "E-mail", "Link"]} />
          <tbody>
            {links.map((link) => (
              <tr key={link.id}>
                <td>{link.name}</td>
                <td className="soft">{link.email ?? "–"}</td>
                <td className="mono nowrap">{link.url}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
