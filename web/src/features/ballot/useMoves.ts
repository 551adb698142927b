// Moving papers: grabbed by keys and moved before they are dropped, or moved at once by drag and buttons.
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";

import { cancelledWords, droppedWords, grabbedWords, movedWords, type NameOf } from "./words";
import {
  groupOf,
  moved,
  sectionOf,
  shortened,
  stepDown,
  stepUp,
  tieAbove,
  type MoveTarget,
} from "./ballotOrder";
import type { BallotContent, BallotOptions } from "./useBallot";

export const handleId = (paper: string): string => `move-${paper}`;

export interface Moves {
  shown: BallotContent; // with the grabbed paper where it is now
  held: string | null;
  words: string; // for the live region
  toggle(paper: string): void;
  leave(): void; // drop what is grabbed
  move(paper: string, target: MoveTarget | null): void;
  onKeyDown(event: KeyboardEvent, paper: string): void;
}

export function useMoves({
  content,
  options,
  nameOf,
  contradicts,
  onChange,
}: {
  content: BallotContent;
  options: BallotOptions;
  nameOf: NameOf;
  contradicts(content: BallotContent, paper: string): boolean;
  onChange(content: BallotContent): void;
}): Moves {
  const [held, setHeld] = useState<{ paper: string; content: BallotContent } | null>(null);
  const [words, setWords] = useState("");
  const focus = useRef<{ paper: string; byKeys: boolean } | null>(null);
  useLayoutEffect(() => {
    if (!focus.current) return;
    const { paper, byKeys } = focus.current;
    focus.current = null;
    const handle = document.getElementById(handleId(paper));
    // A row that changes its section is a new element, and a button may have been disabled.
    if (byKeys || document.activeElement?.matches("body, :disabled"))
      handle?.focus({ preventScroll: true });
    // After a tap the page stays where it is: the next paper is under the finger.
    if (byKeys) handle?.scrollIntoView?.({ block: "nearest" });
  });

  const limited = (next: BallotContent, paper: string) => shortened(next, options.top_k, paper);
  const drop = (paper: string, next: BallotContent) => {
    focus.current = { paper, byKeys: held !== null };
    setHeld(null);
    setWords(droppedWords(next, paper, nameOf, contradicts(next, paper)));
    if (next !== content) onChange(next);
  };
  const toggle = (paper: string) => {
    if (held?.paper === paper) return drop(paper, held.content);
    focus.current = { paper, byKeys: true };
    setHeld({ paper, content });
    setWords(grabbedWords(content, paper, nameOf));
  };
  const cancel = (paper: string) => {
    setHeld(null);
    focus.current = { paper, byKeys: true };
    setWords(cancelledWords(content, paper, nameOf));
  };
  const carry = (paper: string, from: BallotContent, target: MoveTarget | null) => {
    focus.current = { paper, byKeys: true };
    if (!target) return setWords(`${movedWords(from, paper, nameOf)} It goes no further.`);
    const next = limited(moved(from, paper, target), paper);
    setHeld({ paper, content: next });
    setWords(movedWords(next, paper, nameOf));
  };
  const move = (paper: string, target: MoveTarget | null) => {
    if (target) drop(paper, limited(moved(held?.content ?? content, paper, target), paper));
  };
  const onKeyDown = (event: KeyboardEvent, paper: string) => {
    if (held?.paper !== paper) return;
    const target = targetOf(event.key, held.content, paper, options);
    if (event.key === "Escape") cancel(paper);
    else if (target !== undefined) carry(paper, held.content, target);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    shown: held?.content ?? content,
    held: held?.paper ?? null,
    words,
    toggle,
    leave: () => {
      if (!held) return;
      setHeld(null);
      if (held.content !== content) onChange(held.content);
    },
    move,
    onKeyDown,
  };
}

/** Where a key takes the grabbed paper: null for nowhere, undefined for a key that means nothing. */
function targetOf(
  key: string,
  content: BallotContent,
  paper: string,
  options: BallotOptions,
): MoveTarget | null | undefined {
  const placed = sectionOf(content, paper) === "placed";
  switch (key) {
    case "ArrowUp":
      return stepUp(content, paper);
    case "ArrowDown":
      return stepDown(content, paper, options.may_skip);
    case "Home":
      return { kind: "own", at: 0 };
    case "End":
      return { kind: "own", at: content.groups.length - (isAlone(content, paper) ? 1 : 0) };
    case "t":
    case "T":
      return options.ties ? tieAbove(content, paper) : null;
    case "Delete":
    case "Backspace":
      return placed ? { kind: "unplaced" } : null;
  }
  return undefined;
}

const isAlone = (content: BallotContent, paper: string): boolean =>
  content.groups[groupOf(content, paper)]?.length === 1;
