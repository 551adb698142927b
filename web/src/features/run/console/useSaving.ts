// How every change of a run's pages is saved: shown at once, one after the other, and never as saved before it is.
import { hashKey, notifyManager, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { errorMessage, hasStatus, isRefusal } from "../../../api/errors";
import type { Saving, UnsavedChange } from "../context";

type Things = readonly string[];

/** A change of what a query holds. Of several things, those that have been changed once more since are left out
 * where it is tried again. */
export interface Change<Data, Answer> extends Pick<UnsavedChange, "field" | "things" | "text"> {
  what(things: Things): string; // "Reject for 1821"
  atOnce?: boolean; // does not wait for the changes before: the page may be gone in a moment
  key: QueryKey; // of the query
  /** Return what the query will hold. */
  show(held: Data, things: Things): Data;
  /** Send the change; `held` is what the server had. */
  send(held: Data | undefined, things: Things): Promise<Answer>;
}

interface Entry extends UnsavedChange {
  change: Change<unknown, unknown>;
}

/** Save a change; return the server's answer, or null where it is not saved: then `saving` has it. */
export type SaveChange = <Data, Answer>(change: Change<Data, Answer>) => Promise<Answer | null>;

export interface SavedChanges {
  saving: Saving;
  save: SaveChange;
  /** Return what a query holds together with the changes that are on their way. */
  shown<Data>(key: QueryKey, held: Data | undefined): Data | undefined;
}

export function useSaving(): SavedChanges {
  const client = useQueryClient();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const latest = useRef<Promise<unknown>>(Promise.resolve());
  const attempt = useCallback(
    (entry: Entry): Promise<unknown> => {
      const { change, things } = entry;
      const replace = (next: Entry[]) =>
        setEntries((old) => current(old.flatMap((one) => (one === entry ? next : [one]))));
      // What was changed here a moment ago is no other person's change: each waits for the one before.
      const turn = change.atOnce ? Promise.resolve() : latest.current;
      const outcome = turn.then(async () => {
        try {
          const answer = await change.send(client.getQueryData(change.key), things);
          client.setQueryData(change.key, (held: unknown) => held && change.show(held, things));
          notifyManager.schedule(() => replace([])); // once the pages have the query's new data
          return answer;
        } catch (failure) {
          replace([{ ...entry, busy: false, ...problem(change.what(things), failure) }]);
          return null;
        }
      });
      latest.current = outcome.then(() =>
        client.invalidateQueries({ predicate: isBelow(change.key) }),
      );
      return outcome;
    },
    [client],
  );
  const save: SaveChange = useCallback(
    <Data, Answer>(change: Change<Data, Answer>) => {
      const { field, things, text } = change;
      const entry = { field, things, text, change, busy: true, ...UNTRIED };
      setEntries((old) => current([...old, entry]));
      return attempt(entry) as Promise<Answer | null>;
    },
    [attempt],
  );
  const saving = useMemo(
    (): Saving => ({
      changes: entries,
      of: (field, thing) =>
        entries.findLast((one) => one.field === field && one.things.includes(thing)),
      tryAgain() {
        const next = entries.map((one) => (one.again && !one.busy ? { ...one, busy: true } : one));
        setEntries(next);
        for (const one of next) if (!entries.includes(one)) void attempt(one);
      },
      giveUp: () => setEntries(entries.filter(({ busy }) => busy)),
    }),
    [entries, attempt],
  );
  const shown: SavedChanges["shown"] = useCallback(
    (key, held) =>
      held &&
      entries
        .filter(({ busy, change }) => busy && hashKey(change.key) === hashKey(key))
        .reduce((data, { change, things }) => change.show(data, things) as typeof data, held),
    [entries],
  );
  const failed = entries.some(({ again }) => again);
  useEffect(() => {
    if (!failed) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [failed]);
  return { saving, save, shown };
}

/** The query of a path and those of paths below it. */
const isBelow =
  ([path]: QueryKey) =>
  ({ queryKey }: { queryKey: QueryKey }) =>
    String(queryKey[0]).startsWith(String(path));

const UNTRIED = { message: "", again: false, conflict: false };

/** A change that failed is over for what has been changed once more since. */
function current(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((one, at) => {
    const later = entries.slice(at + 1).filter(({ field }) => field === one.field);
    const things = one.things.filter((thing) => !later.some((two) => two.things.includes(thing)));
    if (one.busy || things.length === one.things.length) return [one];
    return things.length ? [{ ...one, things }] : [];
  });
}

/** Why a change is not saved, and whether trying again can help. */
function problem(what: string, failure: unknown): typeof UNTRIED {
  const sentence = `${what} is not saved.`;
  const [again, conflict] = [!isRefusal(failure), hasStatus(failure, 409)];
  if (hasStatus(failure, 0)) return { message: `Not connected: ${sentence}`, again, conflict };
  const capital = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return { message: `${capital} ${errorMessage(failure)}`, again, conflict };
}
