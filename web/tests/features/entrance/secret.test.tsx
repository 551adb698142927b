import { describe, expect, it } from "vitest";

import { RequestError } from "../../../src/api/errors";
import { refusalOf, secretIn } from "../../../src/features/entrance/EnterPage";

describe("a link's secret", () => {
  it.each([
    ["http://127.0.0.1:8351/enter#abc", "abc"],
    ["  /enter#abc \n", "abc"],
    ["#abc", "abc"],
    ["abc", "abc"],
    ["", ""],
  ])("in %j is %j", (pasted, secret) => {
    expect(secretIn(pasted)).toBe(secret);
  });
  it("that opens nothing is told why by the server", () => {
    const reason = "This link was revoked on 2026-03-01. Ask the chairs for a new one.";
    expect(refusalOf(new RequestError(401, reason))).toBe(reason);
    expect(refusalOf(new RequestError(422, "x"))).toMatch(/mistyped or incomplete/);
  });
});
