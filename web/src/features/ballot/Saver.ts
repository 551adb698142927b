// Sends a ballot as it changes: one save at a time, again until it is answered, never over a newer one.
import { hasStatus, RequestError, wordsOf } from "../../api/errors";
import { newId, type Draft, type Save, type DraftStore } from "./drafts";
import type { Ballot, BallotContent } from "./ballotApi";

export type SaveState =
  | { kind: "saved" }
  | { kind: "saving" } // changed, or on its way
  | { kind: "offline"; kept: boolean } // will be sent again
  | { kind: "conflict"; theirs: Ballot; mine: BallotContent }
  | { kind: "closed"; words: string }
  | { kind: "refused"; words: string };

export interface BallotApi {
  send(save: Save, leaving: boolean): Promise<Ballot>;
  load(): Promise<Ballot>;
}

const SETTLE = 500; // ms without another change before a save is sent
const WAITS = [1, 2, 4, 8, 15, 30]; // s between tries
export const CLOSED = [410, 423];
const AGAIN = [0, 408, 425, 429, 500, 502, 503, 504];

export class Saver {
  private sent: Save | null;
  private next: Save | null;
  private busy = false;
  private tries = 0;
  private timer: number | undefined;
  private tell: (state: SaveState) => void = () => {};
  private confirmed: (ballot: Ballot) => void = () => {};

  constructor(
    private version: number,
    private readonly api: BallotApi,
    private readonly drafts: Pick<DraftStore, "keep" | "take">,
  ) {
    const draft = drafts.take();
    this.sent = draft?.sent ?? null;
    this.next = draft?.next ?? null;
  }

  /** What has not been confirmed. */
  get unsaved(): BallotContent | null {
    return (this.next ?? this.sent)?.content ?? null;
  }

  /** Report to a page, and go on with what was not confirmed when another page was left. */
  start(tell: (state: SaveState) => void, confirmed: (ballot: Ballot) => void): void {
    this.tell = tell;
    this.confirmed = confirmed;
    this.flush();
  }

  end(): void {
    window.clearTimeout(this.timer);
    this.tell = this.confirmed = () => {};
  }

  change(content: BallotContent, submit = false): void {
    this.next = { save_id: newId(), base_version: this.version, content, submit };
    this.keep();
    this.tell({ kind: "saving" });
    if (!this.busy) this.later(submit ? 0 : SETTLE);
  }

  /** Send now, also while the page is going away. */
  flush(leaving = false): void {
    if (this.unsaved && (!this.busy || leaving)) void this.push(leaving);
  }

  /** Go on from a newer version; not while there is something of this page's own to send. */
  adopt(ballot: Ballot): boolean {
    if (this.unsaved) return false;
    this.version = ballot.version;
    return true;
  }

  /** After a conflict: save this page's content over theirs, or take theirs. */
  settle(theirs: Ballot, mine: BallotContent | null): void {
    this.version = theirs.version;
    this.sent = this.next = null;
    this.keep();
    if (mine) this.change(mine);
    else {
      this.tell({ kind: "saved" });
      this.confirmed(theirs);
    }
  }

  private keep(): boolean {
    const draft: Draft = { sent: this.sent, next: this.next, at: new Date().toISOString() };
    return this.drafts.keep(this.unsaved ? draft : null);
  }

  private later(wait: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.push(), wait);
  }

  private async push(leaving = false): Promise<void> {
    window.clearTimeout(this.timer);
    // A save without an answer may have arrived: only that same save may follow it.
    if (!this.sent) {
      this.sent = this.next;
      this.next = null;
      this.keep();
    }
    const save = this.sent;
    if (!save) return;
    this.busy = true;
    try {
      this.arrived(save, await this.api.send(save, leaving));
    } catch (error) {
      await this.failed(error);
    }
  }

  private arrived(save: Save, ballot: Ballot): void {
    if (this.sent?.save_id !== save.save_id) return; // answered already
    this.busy = false;
    this.tries = 0;
    this.version = ballot.version;
    this.sent = null;
    if (this.next) this.next = { ...this.next, base_version: ballot.version };
    this.keep();
    this.confirmed(ballot);
    if (this.next) void this.push();
    else this.tell({ kind: "saved" });
  }

  private async failed(error: unknown): Promise<void> {
    this.busy = false;
    if (hasStatus(error, ...CLOSED)) return this.tell({ kind: "closed", words: wordsOf(error) });
    if (hasStatus(error, 409)) return this.askWhich();
    if (!(error instanceof RequestError) || AGAIN.includes(error.status)) {
      const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)] ?? 30;
      this.tell({ kind: "offline", kept: this.keep() });
      const asked = error instanceof RequestError ? (error.retryAfter ?? 0) : 0;
      return this.later(1000 * Math.max(wait, asked));
    }
    this.refused(wordsOf(error));
  }

  /** Another tab or device saved in between. */
  private async askWhich(): Promise<void> {
    const mine = this.unsaved;
    try {
      const theirs = await this.api.load();
      if (mine) this.tell({ kind: "conflict", theirs, mine });
    } catch {
      this.tell({ kind: "offline", kept: this.keep() });
      this.later(1000);
    }
  }

  /** The server will not take it, however often it is sent; the next change is tried anew. */
  private refused(words: string): void {
    this.next ??= this.sent;
    this.sent = null;
    this.keep();
    this.tell({ kind: "refused", words });
  }
}
