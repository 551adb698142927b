// On paper there is no bar above the page: the sheet itself says which run it shows.
import type { View } from "../../data/run";

export function PrintHeading({ view }: { view: View }) {
  const named = [view.conference, view.name].filter(Boolean).join(" · ");
  return (
    <p className="only-print soft">
      {named}
      {view.finished && `, ${view.finished.slice(0, 10)}`}
    </p>
  );
}
