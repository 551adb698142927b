import { describe, expect, it } from "vitest";

import { inPageWords, reasonInPage } from "../../../src/features/import/reasons";

describe("reasons speak of the page's fields, not of the command line's options", () => {
  it.each([
    ["name them with --column score=..", "name them with the field “Score”"],
    ["--column rank=TAG", "the field “Rank (1 = best)”"],
    [
      "--column paper=Nr: no file has the column 'Nr'",
      "the field “Paper” set to “Nr”: no file has the column 'Nr'",
    ],
    ["choose one with --field Q10", "choose one with the field “Score field” set to “Q10”"],
    ["Choose with --field NAME; repeat it", "Choose with the field “Score field”; repeat it"],
    ["say whose it is with --ranker E-MAIL, or", "say whose it is with the field “Ranker”, or"],
    ["give them with --scale, worst first", "give them with the field “Scale”, worst first"],
    [
      "use --format hotcrp or --format auto",
      "use the field “Format” “HotCRP” or the field “Format” “Recognise by content”",
    ],
  ])("%s", (said, shown) => {
    expect(inPageWords(said)).toBe(shown);
  });
  it("and put the long list of formats aside", () => {
    const { text, formats } = reasonInPage(
      "a.csv is not understood. Understood are: one; two. For a table of your own, name its columns: --column reviewer=..",
    );
    expect(text).toMatch(/^a.csv is not understood. If it is a table of your own/);
    expect(formats).toBe("Understood are: one; two.");
  });
});
