// New links. The server keeps no copy of their secrets: they are shown only once.
import type { NewLink } from "../../api/types";
import { CopyButton } from "../../components/CopyButton";
import { Dialog } from "../../components/Dialog";
import { saveFile } from "../../components/saveFile";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { linksAsCsv } from "./links";

export function MadeLinks({ links, onClose }: { links: NewLink[]; onClose(): void }) {
  const only = links.length === 1 ? links[0] : undefined;
  return (
    <Dialog
      title={only ? `Link for ${only.name ?? "a chair"}` : `${links.length} links`}
      onClose={onClose}
      wide={!only}
    >
      <p>
        {only ? "It is" : "They are"} shown only now: copy{only ? " it" : " or download them"}{" "}
        before you close this. Anybody who has a link sees what its owner may see.
      </p>
      {only ? <OneLink link={only} /> : <ManyLinks links={links} />}
    </Dialog>
  );
}

function OneLink({ link }: { link: NewLink }) {
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

function ManyLinks({ links }: { links: NewLink[] }) {
  const csv = linksAsCsv(links);
  return (
    <>
      <div className="row">
        <CopyButton text={csv} name="Copy all as CSV" />
        <button
          type="button"
          className="button"
          onClick={() => saveFile(new Blob([csv], { type: "text/csv" }), "links.csv")}
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
