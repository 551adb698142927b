// Changes of a ballot that the server has not confirmed yet, stored on the device.
//
// Every tab has a draft of its own, so that two tabs do not overwrite each other's. The next page that
// opens claims the draft of a closed tab.
import type { BallotContent } from "./useBallot";

export interface Save {
  save_id: string; // sent again, it is counted once
  base_version: number;
  content: BallotContent;
  submit: boolean;
}

export interface Draft {
  sent: Save | null; // sent, and no answer yet
  next: Save | null; // changed since
  at: string; // when it was changed
}

const PREFIX = "unround.ballot";
const TAB = "unround.tab";

export class DraftStore {
  constructor(
    private readonly ballot: string,
    private readonly store: Storage | null = storage(() => window.localStorage),
    private readonly tab: string = tabName(storage(() => window.sessionStorage)),
  ) {}

  /** Save a draft, or delete it (null). Return whether the browser allows storage. */
  save(draft: Draft | null): boolean {
    try {
      if (draft) this.store?.setItem(this.key(), JSON.stringify(draft));
      else this.store?.removeItem(this.key());
      return this.store !== null;
    } catch {
      return false; // no room left, or not allowed
    }
  }

  /** Return the draft of this tab, or the newest one of a closed tab and make it this tab's. */
  claim(): Draft | null {
    const found = this.keys()
      .map((key) => ({ key, draft: read(this.store?.getItem(key) ?? null) }))
      .filter((entry): entry is { key: string; draft: Draft } => entry.draft !== null);
    const own = found.find(({ key }) => key === this.key());
    const newest = found.toSorted((a, b) => b.draft.at.localeCompare(a.draft.at))[0];
    const chosen = own ?? newest;
    if (!chosen) return null;
    if (chosen !== own) this.store?.removeItem(chosen.key);
    this.save(chosen.draft);
    return chosen.draft;
  }

  private key(): string {
    return `${PREFIX}.${this.ballot}.${this.tab}`;
  }

  private keys(): string[] {
    const all = Array.from({ length: this.store?.length ?? 0 }, (_, at) => this.store?.key(at));
    return all.filter((key): key is string => !!key?.startsWith(`${PREFIX}.${this.ballot}.`));
  }
}

function read(text: string | null): Draft | null {
  try {
    const draft = JSON.parse(text ?? "null") as Draft | null;
    return draft && (draft.sent ?? draft.next) ? draft : null;
  } catch {
    return null;
  }
}

/** Storage of the browser; null where it is forbidden. */
function storage(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

function tabName(store: Storage | null): string {
  const known = store?.getItem(TAB);
  if (known) return known;
  const name = newId();
  try {
    store?.setItem(TAB, name);
  } catch {
    // Without it a reload takes the draft over as if from a closed tab.
  }
  return name;
}

/** A random UUID; `crypto.randomUUID` exists over HTTPS only. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
