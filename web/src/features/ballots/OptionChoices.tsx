// What reviewers are asked and allowed.
import { Checkbox, RadioCards } from "../../components/choices";
import { TextArea, TextField } from "../../components/fields";
import {
  instructionsFor,
  type CollectionForm,
  type FormChange,
  type FormMistakes,
} from "./collectionForm";

const MODES = {
  list: {
    title: "A list to put in order",
    text: "Reviewers drag papers, or use keys or buttons. Best for up to some ten papers.",
  },
  pairs: {
    title: "Pairs, one question at a time",
    text: "“Which one is better?”, chosen so that few answers settle the order. For long lists; reviewers may stop at any time.",
  },
};

export function OptionChoices({
  form,
  mistakes,
  scored,
  onChange,
}: {
  form: CollectionForm;
  mistakes: FormMistakes;
  scored: boolean; // scores are known
  onChange(changes: FormChange): void;
}) {
  const { options } = form;
  const option = (name: "ties" | "may_skip" | "show_scores", label: string, disabled = false) => (
    <Checkbox
      checked={options[name] && !disabled}
      disabled={disabled}
      onChange={(checked) => onChange({ options: { ...options, [name]: checked } })}
    >
      {label}
    </Checkbox>
  );
  return (
    <>
      <RadioCards
        label="How reviewers rank"
        cards={MODES}
        value={options.mode ?? "list"}
        onChange={(mode) => onChange({ options: { ...options, mode } })}
      />
      <div className="stack tight">
        {option("ties", "“About the same” is allowed")}
        {option("may_skip", "“Cannot say” is allowed")}
        {option(
          "show_scores",
          "Show reviewers their own scores, and ask where their order contradicts them",
          !scored,
        )}
      </div>
      <div className="row top">
        {options.mode === "list" && (
          <TextField
            label="Only the best"
            look="narrow"
            inputMode="numeric"
            hint="papers; empty for all"
            value={form.best}
            onChange={(best) => onChange({ best })}
            mistake={mistakes.best}
          />
        )}
        <TextField
          label="Deadline"
          type="datetime-local"
          hint="in your time zone; empty for none"
          value={form.deadline}
          onChange={(deadline) => onChange({ deadline })}
          mistake={mistakes.deadline}
        />
      </div>
      <div className="field">
        <TextArea
          label="Instructions for reviewers"
          rows={4}
          maxLength={10_000}
          value={form.instructions ?? instructionsFor(form)}
          onChange={(instructions) => onChange({ instructions })}
        />
      </div>
    </>
  );
}
