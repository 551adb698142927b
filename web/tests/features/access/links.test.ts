// @vitest-environment jsdom
import { describe, expect, it } from "vitest";

import { daysIn, linksAsCsv, sortedLinks, stateOf } from "../../../src/features/access/LinkList";
import type { Link } from "../../../src/api/schema";
import { entranceFor, pageAfter } from "../../../src/app/session";

const link = (changes: Partial<Link>): Link => ({
  id: "1",
  role: "area_chair",
  area_chair: "a",
  label: "",
  created: "2026-01-01T00:00:00Z",
  expires: null,
  revoked: null,
  opened: null,
  ...changes,
});
const NOW = Date.parse("2026-06-01T00:00:00Z");

describe("links", () => {
  it("are open, expired or revoked", () => {
    expect(stateOf(link({}), NOW)).toBe("open");
    expect(stateOf(link({ expires: "2026-07-01T00:00:00Z" }), NOW)).toBe("open");
    expect(stateOf(link({ expires: "2026-06-01T00:00:00Z" }), NOW)).toBe("expired");
    expect(stateOf(link({ revoked: "2026-05-01T00:00:00Z" }), NOW)).toBe("revoked");
  });
  it("come with open ones first, then the newest", () => {
    const links = [
      link({ id: "old" }),
      link({ id: "gone", created: "2026-04-01T00:00:00Z", revoked: "2026-05-01T00:00:00Z" }),
      link({ id: "new", created: "2026-03-01T00:00:00Z" }),
    ];
    expect(sortedLinks(links, NOW).map(({ id }) => id)).toEqual(["new", "old", "gone"]);
  });
  it("go out as a table that no spreadsheet runs", () => {
    const made = {
      ...link({ expires: "2026-06-02T00:59:30+02:00" }),
      url: "http://h/enter#s",
      name: "=Eve, Ada",
      email: null,
    };
    expect(linksAsCsv([made])).toBe(
      'area_chair,email,expires,link\n"\'=Eve, Ada",,2026-06-01 22:59 UTC,http://h/enter#s\n',
    );
    expect(linksAsCsv([{ ...made, name: "Bo", expires: null }])).toContain("Bo,,,http");
  });
  it("last for whole days, or for ever", () => {
    expect(["30", "", " ", "0", "1.5", "x", "3651"].map(daysIn)).toEqual([
      30,
      null,
      null,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("addresses", () => {
  it("lead back after entering, but never out of the console", () => {
    const after = (to: string) => pageAfter(new URLSearchParams({ to }));
    expect(pageAfter(new URLSearchParams(entranceFor("/r/1?sort=a&q=b").split("?")[1]))).toBe(
      "/r/1?sort=a&q=b",
    );
    expect(
      ["//evil.example", "/\\evil.example", "http://evil.example", "/enter?to=/"].map(after),
    ).toEqual(["/", "/", "/", "/"]);
  });
});
