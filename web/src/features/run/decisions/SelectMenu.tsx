// The menu that selects many papers at once.
import { Menu } from "../../../components/Menu";
import { count } from "../../../domain/format";
import type { ShownLine } from "../line/shownLine";
import type { Selection } from "./useSelection";

export function SelectMenu({
  shown,
  line,
  selection,
}: {
  shown: number[];
  line: ShownLine | null;
  selection: Selection;
}) {
  const isAbove = (paper: number) => line?.above[paper] === 1;
  const choices: [string, number[]][] = [["All that are shown", shown]];
  if (line) {
    choices.push(["Above the line", shown.filter(isAbove)]);
    choices.push(["Below the line", shown.filter((paper) => !isAbove(paper))]);
  }
  return (
    <Menu text="Select">
      {(close) => (
        <>
          {choices.map(([text, papers]) => (
            <button
              key={text}
              type="button"
              className="menu-item"
              disabled={!papers.length}
              onClick={() => {
                selection.choose(papers);
                close();
              }}
            >
              {text} <span className="soft number">{count(papers.length)}</span>
            </button>
          ))}
          <p className="hint">
            Or tick papers: Shift + click takes all between; <kbd>x</kbd> ticks the row with the
            focus.
          </p>
        </>
      )}
    </Menu>
  );
}
