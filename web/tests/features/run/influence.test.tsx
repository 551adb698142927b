import { render } from "@testing-library/react";
import { expect, test } from "vitest";

import { Swing } from "../../../src/features/run/console/Influence";

function sentence(kept: boolean, above: number): string {
  const audit = {
    ...{ reviewers: 40, tried: 40, above, turning: 25.6, plain_turning: 14 },
    worst: [],
  };
  const influence = { data: { audit }, error: null, kept };
  return render(<Swing influence={influence} />).container.textContent ?? "";
}

test("what one reviewer could swing is said of the line that chairs drew", () =>
  expect(sentence(true, 480)).toBe(
    "One reviewer alone could take 25.6% of the papers they read across the line at 480 (plain means: 14.0%).",
  ));

test("without a line it is said of a quarter of the papers, without a number that nobody typed", () =>
  expect(sentence(false, 475)).toContain("across a line at a quarter of the papers (plain means"));

test("where a quarter is no paper, nothing is said", () => expect(sentence(false, 0)).toBe(""));
