// The secret of a link, and why it was refused.
import { hasStatus, RequestError, wordsOf } from "../../api/errors";

/** The secret in a whole link, in a part of one, or alone. */
export function secretIn(pasted: string): string {
  const text = pasted.trim();
  return text.slice(text.lastIndexOf("#") + 1).trim();
}

/** Read the secret after "#" and remove it at once from the address bar and the history. */
export function takeSecret(): string {
  const secret = secretIn(window.location.hash);
  if (window.location.hash)
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return secret;
}

export function refusalOf(error: Error): string {
  if (hasStatus(error, 401, 422))
    return "This link is mistyped, has expired, or was revoked. Ask the chairs for a new one.";
  if (error instanceof RequestError && error.status === 429)
    return `Too many wrong tries. Please wait ${waitText(error.retryAfter ?? 60)} and try again.`;
  return wordsOf(error);
}

export function waitText(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
