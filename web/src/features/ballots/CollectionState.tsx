// Whether reviewers can still change their ballots.

export function CollectionState({ state }: { state: "open" | "closed" }) {
  return <span className={state === "open" ? "badge good" : "badge"}>{NAMES[state]}</span>;
}

const NAMES = { open: "Open", closed: "Closed" };
