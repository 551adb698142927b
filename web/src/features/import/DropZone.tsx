// Uploads files that are dropped here or chosen with the button.
import { useId, useState } from "react";

import { upload } from "../../api/files";
import { useChange } from "../../app/queries";
import { ErrorNotice } from "../../components/Notice";
import { sizeText } from "../../domain/format";
import { NAMED_SYSTEMS } from "../../domain/glossary";

export function DropZone({ conference }: { conference: string }) {
  const field = useId();
  const [over, setOver] = useState(false);
  const [share, setShare] = useState(0); // of the bytes
  const uploading = useChange((files: File[]) => {
    setShare(0);
    return upload(conference, files, setShare);
  });
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
        <label className="button file-button" htmlFor={field}>
          Add files
        </label>
        <input
          id={field}
          className="visually-hidden"
          type="file"
          multiple
          disabled={isPending}
          onChange={(event) => {
            const chosen = [...(event.target.files ?? [])];
            event.target.value = ""; // the same file may be chosen again
            send(chosen);
          }}
        />
        <p className="hint">
          Reviews and rankings as {NAMED_SYSTEMS} export them, PeerRead, or plain tables: CSV, XLSX,
          JSON, ZIP.
        </p>
      </div>
      <div role="status" className="soft">
        {isPending && `Uploading ${filesText(files)}`}
        {isSuccess && `Uploaded ${filesText(files)}`}
      </div>
      {isPending && <progress aria-label="Upload" value={share} max={1} />}
      <ErrorNotice error={uploading.error} />
    </div>
  );
}

/** "reviews.csv, 1.5 kB" or "3 files, 20 kB". */
function filesText(files: File[]): string {
  const names = files.length === 1 ? files[0]?.name : `${files.length} files`;
  return `${names}, ${sizeText(files.reduce((sum, file) => sum + file.size, 0))}`;
}
