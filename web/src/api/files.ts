// Files sent to the server, and files that it sends.
import { api, bodyOf } from "./client";
import type { AssignmentResult, FileInfo } from "./types";

/** A request whose body is a file: typed as text, and the bytes of the file sent in its place. */
const bodyOfFile = (file: File) => ({
  body: file.name,
  bodySerializer: () => file,
  headers: { "Content-Type": "application/octet-stream" },
});

/** Upload files one after the other. */
export async function upload(
  conference: string,
  files: readonly File[],
  forBallots = false,
): Promise<FileInfo[]> {
  const uploaded: FileInfo[] = [];
  for (const file of files) {
    const query = { name: file.name, for_ballots: forBallots };
    uploaded.push(
      await bodyOf(
        api.POST("/api/conferences/{conference}/files", {
          params: { path: { conference }, query },
          ...bodyOfFile(file),
        }),
      ),
    );
  }
  return uploaded;
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
      ...bodyOfFile(file),
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
