// The files of a conference: those uploaded, the place to drop others, and fetching from a running system.
import { useState } from "react";

import { remove, post } from "../../api/client";
import type { FileInfo, ConferenceDetail, SystemAccess } from "../../api/schema";
import { useChange, useUpload } from "../../app/queries";
import { FileButton, Form } from "../../components/fields";
import { ConfirmButton } from "../../components/Dialog";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { sizeText } from "../../domain/format";
import { ErrorNotice } from "../../components/Notice";
import { NAMED_SYSTEMS, LIVE_SYSTEMS, optionsIn } from "../../domain/glossary";
import { Button } from "../../components/buttons";
import { SegmentedControl } from "../../components/choices";
import { SystemFields, trimmed } from "../../components/SystemFields";

/** The uploaded files, with their sizes and hashes. */
export function FileList({
  conference,
  files,
  used,
  onUse,
}: {
  conference: string;
  files: FileInfo[];
  used: string[];
  onUse(file: FileInfo, use: boolean): void;
}) {
  const removing = useChange((file: string) =>
    remove("/api/conferences/{conference}/files/{file}", { conference, file }),
  );
  if (!files.length) return null;
  return (
    <DataTable
      label="Files"
      box="Table of files"
      rows={files}
      keyOf={({ id }) => id}
      columns={[
        {
          head: "Use",
          cell: (file) => (
            <input
              type="checkbox"
              aria-label={`Use ${file.name}`}
              checked={used.includes(file.id)}
              onChange={(event) => onUse(file, event.target.checked)}
            />
          ),
        },
        { head: "File", cell: ({ name }) => name, look: "wrap" },
        { head: "Size", cell: ({ size }) => sizeText(size), number: true },
        {
          head: "SHA-256",
          cell: ({ sha256 }) => <span title={sha256}>{sha256.slice(0, 8)}</span>,
          onWide: true,
          look: "mono soft",
        },
        {
          head: "Uploaded",
          cell: ({ uploaded }) => <Time at={uploaded} />,
          onWide: true,
          look: "soft nowrap",
        },
      ]}
      actions={({ id, name }) => (
        <ConfirmButton
          text="Remove"
          label={`Remove ${name}`}
          look="quiet"
          title={`Remove ${name}?`}
          action="Remove the file"
          changing={removing}
          input={id}
        >
          The uploaded file is deleted. Finished runs keep their results and its name and hash.
        </ConfirmButton>
      )}
    />
  );
}

/** Uploads files that are dropped here or chosen with the button. */
export function DropZone({ conference }: { conference: string }) {
  const [over, setOver] = useState(false);
  const uploading = useUpload(conference);
  const { isPending, isSuccess, variables: files = [] } = uploading;
  const send = (chosen: File[]) => {
    if (chosen.length && !isPending) uploading.mutate(chosen);
  };
  return (
    <div className="stack tight">
      <div
        className={over ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          send([...event.dataTransfer.files]);
        }}
      >
        <p>
          <strong>Drop files here</strong>
        </p>
        <FileButton text="Add files" multiple disabled={isPending} onFiles={send} />
        <p className="hint">
          Reviews and rankings as {NAMED_SYSTEMS} export them, or plain tables: CSV, XLSX, JSON,
          ZIP.
        </p>
      </div>
      <div role="status" className="soft">
        {isPending && `Uploading ${filesText(files)}`}
        {isSuccess && `Uploaded ${filesText(files)}`}
      </div>
      {isPending && <progress aria-label="Upload" />}
      <ErrorNotice error={uploading.error} />
    </div>
  );
}

/** "reviews.csv, 1.5 kB" or "3 files, 20 kB". */
function filesText(files: File[]): string {
  const names = files.length === 1 ? files[0]?.name : `${files.length} files`;
  return `${names}, ${sizeText(files.reduce((sum, file) => sum + file.size, 0))}`;
}

const SYSTEMS = optionsIn(LIVE_SYSTEMS);
const NAMES = SYSTEMS.map(([, title]) => title).join(" or ");

export function FetchFiles({
  conference: { id, system_hosts: hosts },
  onFetched,
}: {
  conference: ConferenceDetail;
  onFetched(earlier: FileInfo[]): void; // files that the new ones replace
}) {
  const [access, setAccess] = useState<SystemAccess>({ system: "hotcrp", url: "", token: "" });
  const fetching = useChange((wanted: SystemAccess) =>
    post("/api/conferences/{conference}/fetch", { conference: id }, wanted),
  );
  const fetched = fetching.data;
  return (
    <details>
      <summary>Or fetch them from a running {NAMES}</summary>
      {hosts.length === 0 ? (
        <p className="hint">
          This server contacts no other. Whoever runs it can allow the host of your conference:{" "}
          <code>unround serve --system-host HOST</code>
        </p>
      ) : (
        <Form
          aria-label={`Fetch from ${NAMES}`}
          onSubmit={() =>
            fetching.mutate(trimmed(access), {
              onSuccess: ({ earlier }) => {
                setAccess({ ...access, token: "" });
                onFetched(earlier);
              },
            })
          }
        >
          <div className="row">
            <SegmentedControl
              label="System"
              options={SYSTEMS}
              value={access.system}
              onChange={(system) => setAccess({ ...access, system })}
            />
          </div>
          <SystemFields access={access} onChange={setAccess} />
          <p className="hint">This server may contact {hosts.join(", ")}.</p>
          <div className="row">
            <Button type="submit" disabled={fetching.isPending}>
              {fetching.isPending ? "Fetching" : "Fetch"}
            </Button>
          </div>
          <div role="status" className="soft">
            {fetched &&
              [
                `Fetched ${fetched.files.map((file) => file.name).join(", ")}`,
                ...(fetched.earlier.length ? ["the earlier copies are no longer used"] : []),
                ...fetched.notes,
              ].join("; ")}
          </div>
          <ErrorNotice error={fetching.error} />
        </Form>
      )}
    </details>
  );
}
