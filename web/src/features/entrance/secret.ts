// The secret of a link: taken out of the address, or out of what somebody pasted.
import { RequestProblem, wordsOf } from "../../api/client";

/** The secret in a whole link, a part of one, or bare. */
export function secretIn(pasted: string): string {
  const text = pasted.trim();
  return text.slice(text.lastIndexOf("#") + 1).trim();
}

/** Read the secret behind "#" and remove it from the address bar and the history at once. */
export function takeSecret(): string {
  const secret = secretIn(window.location.hash);
  if (window.location.hash)
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return secret;
}

export function refusalOf(problem: unknown): string {
  if (!(problem instanceof RequestProblem)) return wordsOf(problem);
  if (problem.status === 401 || problem.status === 422)
    return "This link does not open anything: it is mistyped, has ended, or was revoked. Ask the chairs for a new one.";
  if (problem.status === 429)
    return `Too many wrong tries. Please wait ${waitInWords(problem.retryAfter ?? 60)} and try again.`;
  return problem.message;
}

export function waitInWords(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 second" : `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
