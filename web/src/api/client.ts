// The client of the server's API. Paths, parameters and bodies are typed by openapi.json.
import createClient, { defaultPathSerializer } from "openapi-fetch";

import { detailIn, RequestError, SIGNED_OUT } from "./errors";
import type { paths } from "./schema";

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  fetch: (request) => fetch(request),
});

api.use({
  onRequest({ request }) {
    // The server requires this header for every change: other sites cannot send it.
    if (request.method !== "GET") request.headers.set("X-Unround", "1");
  },
  async onResponse({ response, schemaPath }) {
    if (response.ok) return;
    if (response.status === 401 && schemaPath !== "/api/enter")
      window.dispatchEvent(new Event(SIGNED_OUT));
    const body: unknown = await response.json().catch(() => null);
    throw new RequestError(
      response.status,
      detailIn(body) ?? wordsFor(response.status),
      Number(response.headers.get("Retry-After")) || null,
    );
  },
  onError({ request }) {
    if (request.signal.aborted) return;
    return new RequestError(
      0,
      "The server cannot be reached. Check your connection and try again.",
    );
  },
});

const wordsFor = (status: number): string =>
  status === 413 ? "The file is too large." : `The server answered ${status}.`;

/** The body of a response. For an error status the client has thrown a RequestError. */
export async function bodyOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

const KEEPALIVE_LIMIT = 60_000; // bytes; browsers refuse more than 64 KiB

/** Options of a request that the browser completes even when its page is closed. */
export const keepaliveOptions = (body: unknown): { keepalive: boolean } => ({
  keepalive: new Blob([JSON.stringify(body)]).size <= KEEPALIVE_LIMIT,
});

/** The parameters in a path: `run` and `name` in "/api/runs/{run}/files/{name}". */
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The address of an API path, for links, uploads and event streams. */
export function addressOf<P extends keyof paths>(
  path: P,
  parameters: Record<NamesIn<P>, string>,
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams(query);
  const address = defaultPathSerializer(path, parameters);
  return search.size ? `${address}?${search}` : address;
}
