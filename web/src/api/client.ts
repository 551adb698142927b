// The one door to the server. Requests that change something carry a header that no other site can send.
import type { components } from "./schema";

export type Schemas = components["schemas"];

export class RequestProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Told to the window when the server no longer knows who is asking. */
export const SIGNED_OUT = "unround:signed-out";

async function problemOf(response: Response): Promise<RequestProblem> {
  const wait = Number(response.headers.get("Retry-After")) || null;
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "detail" in body)
      return new RequestProblem(response.status, String(body.detail), wait);
  } catch {
    // Not JSON: the status has to do.
  }
  return new RequestProblem(response.status, `The server answered ${response.status}.`, wait);
}

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RequestProblem(0, "The server cannot be reached. Is `unround serve` still running?");
  }
  if (response.ok) return response;
  if (response.status === 401 && path !== "enter") window.dispatchEvent(new Event(SIGNED_OUT));
  throw await problemOf(response);
}

const changing = { "X-Unround": "1" };

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, signal ? { signal } : {});
  return (await response.json()) as T;
}

async function change(method: string, path: string, body?: unknown): Promise<Response> {
  if (body instanceof FormData) return send(path, { method, headers: changing, body });
  if (body === undefined) return send(path, { method, headers: changing });
  const headers = { ...changing, "Content-Type": "application/json" };
  return send(path, { method, headers, body: JSON.stringify(body) });
}

async function answer<T>(response: Response): Promise<T> {
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const post = async <T>(path: string, body?: unknown): Promise<T> =>
  answer<T>(await change("POST", path, body));

export const patch = async <T>(path: string, body: unknown): Promise<T> =>
  answer<T>(await change("PATCH", path, body));

export const remove = async (path: string): Promise<void> => {
  await change("DELETE", path);
};

/** A file that the server makes from what is posted. */
export const postForFile = async (path: string, body: unknown): Promise<Blob> =>
  (await change("POST", path, body)).blob();

/** A file, and the name that the server gives it. */
export async function getFile(path: string): Promise<{ blob: Blob; name: string | null }> {
  const response = await send(path);
  const header = response.headers.get("Content-Disposition") ?? "";
  return { blob: await response.blob(), name: /filename="?([^";]+)"?/.exec(header)?.[1] ?? null };
}

/** What went wrong, in words, whatever it was. */
export const wordsOf = (problem: unknown): string =>
  problem instanceof RequestProblem ? problem.message : "Something went wrong. Please try again.";
