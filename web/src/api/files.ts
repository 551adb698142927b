// Files on their way in and out.
import { RequestProblem, SIGNED_OUT, type Schemas } from "./client";

export type FileInfo = Schemas["FileInfo"];

/** Send files with word of how much of them has gone; `fetch` cannot tell that. */
export function upload(
  path: string,
  files: readonly File[],
  progress: (share: number) => void,
  signal?: AbortSignal,
): Promise<FileInfo[]> {
  const body = new FormData();
  for (const file of files) body.append("files", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/${path}`);
    request.setRequestHeader("X-Unround", "1");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response as FileInfo[]);
      else reject(refused(request));
    });
    request.addEventListener("error", () => reject(refused(request)));
    request.addEventListener("abort", () => reject(new RequestProblem(0, "Upload stopped.")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

function refused(request: XMLHttpRequest): RequestProblem {
  if (request.status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
  const answer: unknown = request.response;
  if (typeof answer === "object" && answer !== null && "detail" in answer)
    return new RequestProblem(request.status, String(answer.detail));
  if (request.status === 413) return new RequestProblem(413, "The file is too large.");
  return new RequestProblem(
    request.status,
    request.status
      ? `The server answered ${request.status}.`
      : "The upload broke off: the server cannot be reached, or the file is too large.",
  );
}

/** Hand a file over to the reader, as if it had been a link. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes its copy in its own time.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
