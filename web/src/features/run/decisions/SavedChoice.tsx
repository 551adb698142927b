// A choice that is saved when it is made, and that says while it is not saved.
import type { ComponentProps } from "react";

import { ChoiceMenu } from "../../../components/buttons";
import { labelsOf } from "../../../domain/decisions";
import type { Run } from "../../../domain/run";
import type { UnsavedChange } from "../context";
import "./decisions.css";

/** A button with what is chosen. While it is being saved its edge is dashed; where that failed, it says so
 * until the choice is saved or given up. */
export function SavedChoice({
  change,
  text,
  look = "",
  ...rest
}: { change: UnsavedChange | undefined } & ComponentProps<typeof ChoiceMenu<string>>) {
  if (!change) return <ChoiceMenu text={text} look={look} {...rest} />;
  if (change.busy) return <ChoiceMenu text={text} look={`${look} saving`} {...rest} />;
  return <ChoiceMenu {...rest} text="not saved" look={`${look} bad`} title={change.message} />;
}

/** The decisions that can be chosen; `none` is the text of having none. */
export const decisionOptions = (run: Run, none = "No decision"): (readonly [string, string])[] => [
  ["", none],
  ...labelsOf(run).map((label) => [label, label] as const),
];
