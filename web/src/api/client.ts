// Requests to the server's API. Paths, parameters and bodies are typed by schema.ts, made of openapi.json.
import { detailIn, RequestError, SIGNED_OUT } from "./errors";
import type { paths } from "./schema";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that answer a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type In<Operation, Place extends "path" | "query"> = Operation extends {
  parameters: { [place in Place]?: infer Given };
}
  ? [NonNullable<Given>] extends [never]
    ? unknown
    : NonNullable<Given>
  : unknown;

/** The parameters of an operation by their names, those in the path and those behind "?". */
export type ParametersOf<P extends PathOf<M>, M extends Method> = In<paths[P][M], "path"> &
  In<paths[P][M], "query">;

type BodyOf<Operation> = Operation extends { requestBody?: never }
  ? undefined
  : Operation extends { requestBody?: { content: { "application/json": infer Body } } }
    ? Body
    : File; // as it is

/** What an operation answers. */
export type AnswerOf<P extends PathOf<M>, M extends Method> = paths[P][M] extends {
  responses: infer Responses;
}
  ? Responses[keyof Responses & (200 | 201 | 202)] extends { content: infer Content }
    ? Content extends { "application/json": infer Answer }
      ? Answer
      : unknown
    : unknown
  : never;

interface Options {
  signal?: AbortSignal;
  leaving?: boolean; // the page may be gone in a moment: the browser completes the request
}

export const get = async <P extends PathOf<"get">>(
  path: P,
  parameters: ParametersOf<P, "get">,
  options?: Options,
): Promise<AnswerOf<P, "get">> => answerIn(await request("get", path, parameters, {}, options));

const changing =
  <M extends Method>(method: M) =>
  async <P extends PathOf<M>>(
    path: P,
    parameters: ParametersOf<P, M>,
    ...[body, options]: undefined extends BodyOf<paths[P][M]>
      ? [BodyOf<paths[P][M]>?, Options?]
      : [BodyOf<paths[P][M]>, Options?]
  ): Promise<AnswerOf<P, M>> =>
    answerIn(await request(method, path, parameters, contentOf(body), options));

export const post = changing("post");
export const put = changing("put");
export const patch = changing("patch");
export const remove = changing("delete");

export interface NamedFile {
  blob: Blob;
  name: string;
}

/** A file of the server, under the name that the server gives it. */
export async function fileAt<P extends PathOf<"get">>(
  path: P,
  parameters: ParametersOf<P, "get">,
): Promise<NamedFile> {
  const response = await request("get", path, parameters);
  const header = response.headers.get("Content-Disposition") ?? "";
  const name = /filename="?([^";]+)"?/.exec(header)?.[1];
  return { blob: await response.blob(), name: name ?? "download" };
}

/** The address of an API path, for requests and links. */
export function addressOf<P extends PathOf<"get">>(
  path: P,
  parameters: ParametersOf<P, "get">,
): string {
  return addressWith(path, parameters);
}

function addressWith(path: string, parameters: unknown): string {
  const search = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (address.includes(`{${name}}`))
      address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined && value !== null)
      for (const one of [value].flat()) search.append(name, String(one));
  }
  return search.size ? `${address}?${search}` : address;
}

async function request(
  method: Method,
  path: string,
  parameters: unknown,
  content: RequestInit = {},
  { leaving = false, ...options }: Options = {},
): Promise<Response> {
  const headers = new Headers(content.headers);
  // The server requires this header for every change: other sites cannot send it.
  if (method !== "get") headers.set("X-Unround", "1");
  const asked = new Request(new URL(addressWith(path, parameters), window.location.origin), {
    ...{ ...content, ...options, headers, method: method.toUpperCase() },
    credentials: "same-origin",
    keepalive: leaving && isShort(content.body),
  });
  const response = await fetch(asked).catch((failure: unknown) => {
    if (asked.signal.aborted) throw failure;
    const words = "The server cannot be reached. Check your connection and try again.";
    throw new RequestError(0, words);
  });
  if (response.ok) return response;
  if (response.status === 401 && path !== "/api/enter") window.dispatchEvent(new Event(SIGNED_OUT));
  const refusal: unknown = await response.json().catch(() => null);
  throw new RequestError(
    response.status,
    detailIn(refusal) ?? wordsFor(response.status),
    Number(response.headers.get("Retry-After")) || null,
  );
}

const KEEPALIVE_LIMIT = 60_000; // bytes; browsers refuse more than 64 KiB

const isShort = (body: RequestInit["body"]): boolean =>
  new Blob([String(body)]).size <= KEEPALIVE_LIMIT;

function contentOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  const type = body instanceof File ? "application/octet-stream" : "application/json";
  return {
    body: body instanceof File ? body : JSON.stringify(body),
    headers: { "Content-Type": type },
  };
}

const answerIn = async <Answer>(response: Response): Promise<Answer> =>
  (response.status === 204 ? undefined : await response.json()) as Answer;

const wordsFor = (status: number): string =>
  status === 413 ? "The file is too large." : `The server answered ${status}.`;
