// The uploaded files: which to use, how large, which bytes.
import { useState } from "react";

import { remove } from "../../api/client";
import type { FileInfo } from "../../api/files";
import { Confirm } from "../../components/Confirm";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { Time } from "../../components/Time";
import { sizeInWords } from "../../domain/size";

export function FileList({
  conference,
  files,
  without,
  onUse,
  changed,
}: {
  conference: string;
  files: FileInfo[];
  without: string[];
  onUse(file: string, use: boolean): void;
  changed(): void;
}) {
  const [removing, setRemoving] = useState<FileInfo | null>(null);
  if (!files.length) return null;
  return (
    <ScrollBox label="Table of files">
      <table className="plain" aria-label="Files">
        <TableHead
          columns={[
            "Use",
            "File",
            { text: "Size", className: "number" },
            { text: "SHA-256", className: "on-wide" },
            { text: "Uploaded", className: "on-wide" },
            { text: "Actions", hidden: true },
          ]}
        />
        <tbody>
          {files.map((file) => (
            <tr key={file.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Use ${file.name}`}
                  checked={!without.includes(file.id)}
                  onChange={(event) => onUse(file.id, event.target.checked)}
                />
              </td>
              <td className="file-name">{file.name}</td>
              <td className="number">{sizeInWords(file.size)}</td>
              <td className="mono soft on-wide" title={file.sha256}>
                {file.sha256.slice(0, 8)}
              </td>
              <td className="soft nowrap on-wide">
                <Time at={file.uploaded} />
              </td>
              <td className="actions">
                <button
                  type="button"
                  className="button quiet"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => setRemoving(file)}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {removing && (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove the file"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await remove(`conferences/${conference}/files/${removing.id}`);
            changed();
          }}
        >
          The uploaded file is deleted. Finished runs keep their results, and its name and hash.
        </Confirm>
      )}
    </ScrollBox>
  );
}
