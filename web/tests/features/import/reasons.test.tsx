import { describe, expect, it } from "vitest";

import { splitReason } from "../../../src/features/import/useCheck";

describe("why files could not be read", () => {
  it("is shown as the server words it", () => {
    const reason = "reviews.csv is not UTF-8: choose “Encoding” cp1252";
    expect(splitReason(reason)).toEqual({ text: reason, formats: null });
  });
  it("comes with the long list of formats put aside", () => {
    const { text, formats } = splitReason(
      "a.csv is not understood. Supported formats: one; two. For a table of your own, name its columns",
    );
    expect(text).toMatch(/^a.csv is not understood. If it is a table of your own/);
    expect(formats).toBe("Supported formats: one; two.");
  });
});
