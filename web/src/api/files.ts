// Files sent to the server.
import { addressOf, api, bodyOf, CHANGES } from "./client";
import { detailIn, RequestError, SIGNED_OUT } from "./errors";
import type { AssignmentResult, FileInfo } from "./types";

/** Upload files and report the share of bytes sent, which `fetch` cannot do. */
export function upload(
  conference: string,
  files: readonly File[],
  progress: (share: number) => void,
): Promise<FileInfo[]> {
  const body = new FormData();
  for (const file of files) body.append("files", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", addressOf("/api/conferences/{conference}/files", { conference }));
    for (const [name, value] of Object.entries(CHANGES)) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response as FileInfo[]);
      else reject(uploadError(request));
    });
    request.addEventListener("error", () => reject(uploadError(request)));
    request.send(body);
  });
}

function uploadError({ status, response }: XMLHttpRequest): RequestError {
  if (status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
  return new RequestError(status, detailIn(response) ?? wordsFor(status));
}

function wordsFor(status: number): string {
  if (status === 413) return "The file is too large.";
  return status
    ? `The server answered ${status}.`
    : "The upload stopped: the server cannot be reached, or the file is too large.";
}

/** Ask what a table of area chairs would change or, with the edition of that answer, change it. */
export function sendAssignments(
  conference: string,
  file: File,
  edition?: number,
): Promise<AssignmentResult> {
  const form = new FormData();
  form.append("file", file);
  return bodyOf(
    api.POST("/api/conferences/{conference}/area-chairs", {
      params: { path: { conference }, query: edition === undefined ? {} : { edition } },
      body: { file: file.name },
      bodySerializer: () => form,
    }),
  );
}
