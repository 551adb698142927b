// New links. The server stores no copy of their secrets: they are shown once, and closing asks first.
import { useEffect, useState } from "react";

import { Button, CopyButton } from "../../components/buttons";
import { Dialog } from "../../components/Dialog";
import { Notice, Warnings } from "../../components/Notice";
import { saveFile } from "../../components/browser";
import { TextField } from "../../components/fields";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { daysIn, linksAsCsv, type ShownLink } from "./LinkList";

export function NewLinks({
  links,
  whose = "Area chair",
  csv,
  warnings,
  onClose,
}: {
  links: ShownLink[];
  whose?: string;
  csv?: string; // the table to secure, where it is not that of area chairs
  warnings: string[];
  onClose(): void;
}) {
  const [secured, setSecured] = useState(false);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => (secured ? undefined : askBeforeUnload()), [secured]);
  const table = csv ?? linksAsCsv(links);
  const only = links.length === 1 ? links[0] : undefined;
  const secure = () => {
    setSecured(true);
    setLeaving(false);
  };
  return (
    <Dialog
      title={only ? `Link for ${only.name ?? "a chair"}` : `${links.length} links`}
      onClose={secured ? onClose : () => setLeaving(true)}
      wide={!only}
    >
      <p>
        {only ? "It is" : "They are"} shown only now: copy{only ? " it" : " or download them"}{" "}
        before you close this. Anybody who has a link sees what its owner may see.
      </p>
      <Warnings warnings={warnings} />
      {leaving && (
        <Notice tone="bad">
          <p>
            {only ? "This link was" : "These links were"} not copied
            {only ? "" : " or downloaded"}. Once this is closed, nobody can show{" "}
            {only ? "it" : "them"} again.
          </p>
          <div className="row">
            <Button look="danger" onClick={onClose}>
              Close without {only ? "it" : "them"}
            </Button>
            <Button onClick={() => setLeaving(false)}>Back</Button>
          </div>
        </Notice>
      )}
      <div className="stack" onCopy={secure}>
        {only ? (
          <div className="row">
            <input
              className="input grow mono"
              readOnly
              aria-label="Link"
              value={only.url}
              onFocus={(event) => event.target.select()}
            />
            <CopyButton text={only.url} onCopied={secure} />
          </div>
        ) : (
          <>
            <div className="row">
              <CopyButton text={table} name="Copy all as CSV" onCopied={secure} />
              <Button
                onClick={() => {
                  saveFile({ blob: new Blob([table], { type: "text/csv" }), name: "links.csv" });
                  secure();
                }}
              >
                Download CSV
              </Button>
            </div>
            <DataTable
              box="Links"
              look="framed"
              rows={links}
              keyOf={({ id }) => id}
              columns={[
                { head: whose, cell: ({ name }) => name, look: "nowrap" },
                { head: "E-mail", cell: ({ email }) => email ?? "–", look: "soft" },
                {
                  head: "Expires",
                  cell: ({ expires }) => (expires ? <Time at={expires} day /> : "never"),
                  look: "nowrap",
                },
                { head: "Link", cell: ({ url }) => url, look: "mono nowrap" },
              ]}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** For how long new links work. */
export function LinkDays({ days, onChange }: { days: string; onChange(days: string): void }) {
  const wrong = daysIn(days) === undefined;
  return (
    <TextField
      beside
      label="Valid for"
      look="days number"
      inputMode="numeric"
      value={days}
      hint={!wrong && "days (leave empty for no expiry)"}
      mistake={wrong ? "days, a whole number from 1 to 3650, or empty" : undefined}
      onChange={onChange}
    />
  );
}

function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
