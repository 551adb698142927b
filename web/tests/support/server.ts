// A fake server for pages under test. A request that no test expects is an error.
import { vi } from "vitest";

export interface Call {
  method: string;
  path: string; // after /api/
  body: unknown;
  headers: Headers;
  keepalive: boolean;
}
type Answer = (call: Call) => { status?: number; body?: unknown; headers?: Record<string, string> };

export function serve(answers: Record<string, Answer>): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const call = {
      method: request.method,
      path: pathname.replace(/^\/api\//, "") + search,
      body: text ? (JSON.parse(text) as unknown) : undefined,
      headers: request.headers,
      keepalive: request.keepalive,
    };
    calls.push(call);
    const answer = answers[`${call.method} ${call.path}`];
    if (!answer) throw new Error(`unexpected ${call.method} ${call.path}`);
    const { status = 200, body: given = null, headers = {} } = answer(call);
    return new Response(status === 204 ? null : JSON.stringify(given), { status, headers });
  });
  return calls;
}

export const CHAIR = { role: "chair", name: null, conference: null, expires: null, home: null };
export const CONFERENCE = {
  id: "c".repeat(32),
  name: "Testing Days",
  created: "2026-05-01T10:00:00Z",
  runs: [] as unknown[],
  files: [] as unknown[],
  system_hosts: [] as string[],
  show_stars: true,
  show_line: false,
  show_names: false,
  show_decisions: false,
};
export const FILE = {
  id: "f".repeat(32),
  name: "reviews.csv",
  size: 1536,
  sha256: "ab".repeat(32),
  uploaded: "2026-05-01T10:00:00Z",
  for_ballots: false,
};
export const CHECK = {
  id: "e".repeat(32),
  status: "done",
  reason: null,
  recognised: ["reviews.csv: plain table of reviews"],
  notes: [],
  scale: {
    text: "1..3",
    levels: [1, 2, 3],
    origin: "inferred from the scores: consecutive integers",
  },
  counts: { reviews: 12, papers: 4 },
  previews: [],
  columns: [{ file: FILE.id, name: FILE.name, columns: ["Rev", "Pap", "Mark"] }],
  issue_counts: [] as unknown[],
  issues: [] as unknown[],
  contradictions: { reviewers: 0, contradictions: 0, fewest_changes: 0, lines: [] as unknown[] },
  ready: true,
};
