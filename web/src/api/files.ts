// Files sent to the server, and files that it sends.
import { addressOf, api, bodyOf, CHANGE_HEADERS } from "./client";
import { detailIn, RequestError, SIGNED_OUT } from "./errors";
import type { AssignmentResult, FileInfo } from "./types";

const CONTENT_TYPE = "application/octet-stream";

/** Upload files one after the other, and report the share of all bytes sent. */
export async function upload(
  conference: string,
  files: readonly File[],
  progress: (share: number) => void,
  forBallots = false,
): Promise<FileInfo[]> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const uploaded: FileInfo[] = [];
  let sent = 0;
  for (const file of files) {
    const before = sent;
    uploaded.push(
      await uploadOne(
        conference,
        { name: file.name, ...(forBallots && { for_ballots: "true" }) },
        file,
        (bytes) => progress(total ? (before + bytes) / total : 1),
      ),
    );
    sent += file.size;
  }
  return uploaded;
}

/** Upload a file and report the bytes sent, which `fetch` cannot do. */
function uploadOne(
  conference: string,
  query: Record<string, string>,
  file: File,
  progress: (bytes: number) => void,
): Promise<FileInfo> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", addressOf("/api/conferences/{conference}/files", { conference }, query));
    for (const [name, value] of Object.entries(CHANGE_HEADERS))
      request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", CONTENT_TYPE);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response as FileInfo);
      else reject(uploadError(request));
    });
    request.addEventListener("error", () => reject(uploadError(request)));
    request.send(file);
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

/** Preview what a table of area chairs would change or, with the edition of that preview, apply it. */
export function sendAssignments(
  conference: string,
  file: File,
  edition?: number,
): Promise<AssignmentResult> {
  const query = { name: file.name, ...(edition === undefined ? {} : { edition }) };
  return bodyOf(
    api.POST("/api/conferences/{conference}/area-chairs", {
      params: { path: { conference }, query },
      body: file.name, // typed as text; the bytes of the file are sent in its place
      bodySerializer: () => file,
      headers: { "Content-Type": CONTENT_TYPE },
    }),
  );
}

export interface NamedFile {
  blob: Blob;
  name: string;
}

/** The file in an answer, under the name that the server gives it. */
export async function fileOf(
  answer: Promise<{ data?: Blob; response: Response }>,
): Promise<NamedFile> {
  const { data, response } = await answer;
  const header = response.headers.get("Content-Disposition") ?? "";
  const name = /filename="?([^";]+)"?/.exec(header)?.[1];
  return { blob: data ?? new Blob(), name: name ?? "download" };
}
