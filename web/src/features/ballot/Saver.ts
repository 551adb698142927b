// Sends a ballot as it changes: one save at a time, again until it is answered, never over a newer one.
import { hasStatus, RequestError, errorMessage } from "../../api/errors";
import { newId, type Draft, type Save, type DraftStore } from "./drafts";
import type { Ballot, BallotContent } from "./useBallot";

export type SaveState =
  | { kind: "saved" }
  | { kind: "saving" } // changed, or on its way
  | { kind: "offline"; stored: boolean } // will be sent again; stored: on this device
  | { kind: "conflict"; theirs: Ballot; mine: BallotContent }
  | { kind: "closed"; words: string }
  | { kind: "refused"; words: string };

interface BallotApi {
  send(save: Save, leaving: boolean): Promise<Ballot>;
  load(): Promise<Ballot>;
}

const DEBOUNCE = 500; // ms without another change before a save is sent
const RETRY_WAITS = [1, 2, 4, 8, 15, 30]; // s between tries
const CLOSED = [410, 423];
const RETRY_STATUSES = [0, 408, 425, 429, 500, 502, 503, 504];

export class Saver {
  private sent: Save | null;
  private next: Save | null;
  private busy = false;
  private tries = 0;
  private timer: number | undefined;
  private report: (state: SaveState) => void = () => {};
  private onConfirmed: (ballot: Ballot) => void = () => {};

  constructor(
    private version: number,
    private readonly api: BallotApi,
    private readonly drafts: Pick<DraftStore, "save" | "claim">,
  ) {
    const draft = drafts.claim();
    this.sent = draft?.sent ?? null;
    this.next = draft?.next ?? null;
  }

  /** What has not been confirmed. */
  get unsaved(): BallotContent | null {
    return (this.next ?? this.sent)?.content ?? null;
  }

  /** Report to a page, and go on with what was not confirmed when another page was left. */
  start(report: (state: SaveState) => void, onConfirmed: (ballot: Ballot) => void): void {
    this.report = report;
    this.onConfirmed = onConfirmed;
    this.flush();
  }

  end(): void {
    window.clearTimeout(this.timer);
    this.report = this.onConfirmed = () => {};
  }

  change(content: BallotContent, submit = false): void {
    this.next = { save_id: newId(), base_version: this.version, content, submit };
    this.storeDraft();
    this.report({ kind: "saving" });
    if (!this.busy) this.later(submit ? 0 : DEBOUNCE);
  }

  /** Send now, also while the page is going away. */
  flush(leaving = false): void {
    if (this.unsaved && (!this.busy || leaving)) void this.push(leaving);
  }

  /** Continue from a newer version, unless this page has changes to send. Return whether it did. */
  adopt(ballot: Ballot): boolean {
    if (this.unsaved) return false;
    this.version = ballot.version;
    return true;
  }

  /** After a conflict: save this page's content over theirs, or take theirs. */
  settle(theirs: Ballot, mine: BallotContent | null): void {
    this.version = theirs.version;
    this.sent = this.next = null;
    this.storeDraft();
    if (mine) this.change(mine);
    else {
      this.report({ kind: "saved" });
      this.onConfirmed(theirs);
    }
  }

  private storeDraft(): boolean {
    const draft: Draft = { sent: this.sent, next: this.next, at: new Date().toISOString() };
    return this.drafts.save(this.unsaved ? draft : null);
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
      this.storeDraft();
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
    this.storeDraft();
    this.onConfirmed(ballot);
    if (this.next) void this.push();
    else this.report({ kind: "saved" });
  }

  private async failed(error: unknown): Promise<void> {
    this.busy = false;
    if (hasStatus(error, ...CLOSED))
      return this.report({ kind: "closed", words: errorMessage(error) });
    if (hasStatus(error, 409)) return this.askWhichVersion();
    if (!(error instanceof RequestError) || RETRY_STATUSES.includes(error.status)) {
      const wait = RETRY_WAITS[Math.min(this.tries++, RETRY_WAITS.length - 1)] ?? 30;
      this.report({ kind: "offline", stored: this.storeDraft() });
      const asked = error instanceof RequestError ? (error.retryAfter ?? 0) : 0;
      return this.later(1000 * Math.max(wait, asked));
    }
    this.refused(errorMessage(error));
  }

  /** Another tab or device saved in between. */
  private async askWhichVersion(): Promise<void> {
    const mine = this.unsaved;
    try {
      const theirs = await this.api.load();
      if (mine) this.report({ kind: "conflict", theirs, mine });
    } catch {
      this.report({ kind: "offline", stored: this.storeDraft() });
      this.later(1000);
    }
  }

  /** The server will never accept this save; the next change is sent again. */
  private refused(words: string): void {
    this.next ??= this.sent;
    this.sent = null;
    this.storeDraft();
    this.report({ kind: "refused", words });
  }
}
