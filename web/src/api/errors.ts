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

/** The sentence in an error body; null when the body is of another shape. */
export const detailIn = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : null;
