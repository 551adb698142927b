// What becomes of links that work when new ones are made.
import { Dialog } from "../../components/Dialog";
import { count } from "../../domain/format";

export type Existing = "replace" | "keep" | "skip";

export function LinkQuestion({
  name,
  having,
  people,
  onChoose,
  onClose,
}: {
  name: string | null; // of the one person that it is about
  having: number; // how many have a link that works
  people: number;
  onChoose(existing: Existing): void;
  onClose(): void;
}) {
  const rest = people - having;
  return (
    <Dialog
      title={
        name
          ? `${name} has a link already`
          : `${count(having)} of ${count(people)} area chairs have links already`
      }
      onClose={onClose}
    >
      <p>
        A link is shown only when it is made, so an old one cannot be shown again. Replacing ends
        the old {name ? "link" : "links"} at once, also where {name ? "it is" : "they are"} open
        now.
      </p>
      <div className="row">
        {!name && rest > 0 && (
          <button type="button" className="button primary" onClick={() => onChoose("skip")}>
            Only for the other {count(rest)}
          </button>
        )}
        <button type="button" className="button danger" onClick={() => onChoose("replace")}>
          {name ? "Replace it" : `Replace, for all ${count(people)}`}
        </button>
        {name && (
          <button type="button" className="button" onClick={() => onChoose("keep")}>
            Make another
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          Make none
        </button>
      </div>
    </Dialog>
  );
}
