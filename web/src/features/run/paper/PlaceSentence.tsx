// The place of a paper, before and now, and why, in a sentence.
import { placeSentence } from "../../../domain/placeWords";
import { useRun } from "../context";
import { useTable } from "../useTable";

export function PlaceSentence({ paper }: { paper: number }) {
  const { run } = useRun();
  const { state, ruling } = useTable();
  const text = placeSentence(run, paper, state.mode, ruling);
  return <p className="place-sentence">{text ?? "This paper has no scores, and so no place."}</p>;
}
