// The uploaded files, with their sizes and hashes.
import { useState } from "react";

import { Button } from "../../components/buttons";
import { api } from "../../api/client";
import type { FileInfo } from "../../api/types";
import { useChange } from "../../app/queries";
import { Confirm } from "../../components/Dialog";
import { ScrollBox } from "../../components/ScrollBox";
import { PlainTable } from "../../components/PlainTable";
import { Time } from "../../components/DefinitionList";
import { sizeText } from "../../domain/format";

export function FileList({
  conference,
  files,
  without,
  onUse,
}: {
  conference: string;
  files: FileInfo[];
  without: string[];
  onUse(file: string, use: boolean): void;
}) {
  const [chosen, setChosen] = useState<FileInfo | null>(null);
  const close = () => setChosen(null);
  const removing = useChange((file: string) =>
    api.DELETE("/api/conferences/{conference}/files/{file}", {
      params: { path: { conference, file } },
    }),
  );
  if (!files.length) return null;
  return (
    <ScrollBox label="Table of files">
      <PlainTable
        label="Files"
        columns={[
          "Use",
          "File",
          { text: "Size", className: "number" },
          { text: "SHA-256", className: "on-wide" },
          { text: "Uploaded", className: "on-wide" },
          { text: "Actions", hidden: true },
        ]}
      >
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
            <td className="number">{sizeText(file.size)}</td>
            <td className="mono soft on-wide" title={file.sha256}>
              {file.sha256.slice(0, 8)}
            </td>
            <td className="soft nowrap on-wide">
              <Time at={file.uploaded} />
            </td>
            <td className="actions">
              <Button
                look="quiet"
                aria-label={`Remove ${file.name}`}
                onClick={() => setChosen(file)}
              >
                Remove
              </Button>
            </td>
          </tr>
        ))}
      </PlainTable>
      {chosen && (
        <Confirm
          title={`Remove ${chosen.name}?`}
          action="Remove the file"
          busy={removing.isPending}
          error={removing.error}
          onClose={close}
          onConfirm={() => removing.mutate(chosen.id, { onSuccess: close })}
        >
          The uploaded file is deleted. Finished runs keep their results and its name and hash.
        </Confirm>
      )}
    </ScrollBox>
  );
}
