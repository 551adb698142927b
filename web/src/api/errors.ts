// A failed request, and the message that users read about it.

export class RequestError extends Error {
  constructor(
    readonly status: number, // 0: no response
    message: string,
    readonly retryAfter: number | null = null, // seconds
  ) {
    super(message);
  }
}

/** Dispatched on the window when the server answers that nobody is signed in. */
export const SIGNED_OUT = "unround:signed-out";

export const errorMessage = (error: unknown): string =>
  error instanceof RequestError ? error.message : "Something went wrong. Please try again.";

export const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof RequestError && statuses.includes(error.status);

/** Whether the server has refused a request for a reason that trying again does not change. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429;

/** The sentence in an error body; null when the body is of another shape. */
export const detailIn = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : null;
