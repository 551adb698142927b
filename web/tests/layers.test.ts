// Each layer rule fails for an import that it forbids, and no two files or exports share a name.
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const eslint = new ESLint();

async function broken(filePath: string, code: string): Promise<boolean> {
  const [result] = await eslint.lintText(code, { filePath });
  const rules = ["no-restricted-imports", "no-restricted-syntax"];
  return result?.messages.some(({ ruleId }) => rules.includes(ruleId ?? "")) ?? false;
}

describe("an import that a layer forbids", () => {
  it.each([
    ["src/api/client.ts", "../domain/run"],
    ["src/domain/run.ts", "../components/buttons"],
    ["src/domain/run.ts", "../api/client"],
    ["src/domain/run.ts", "react"],
    ["src/components/buttons.tsx", "../app/route"],
    ["src/components/buttons.tsx", "../api/client"],
    ["src/app/queries.tsx", "../features/run/context"],
    ["src/app/route.tsx", "../api/client"],
    ["src/app/Shell.tsx", "./session"],
    ["src/app/Shell.tsx", "@tanstack/react-query"],
    ["src/report.tsx", "./features/runs/RunsPage"],
    ["src/report.tsx", "./api/client"],
    ["src/features/run/papers/Papers.tsx", "../../../api/client"],
    ["src/features/run/papers/Papers.tsx", "../../../app/session"],
    ["src/features/run/papers/Papers.tsx", "../../runs/ExportDialog"],
    ["src/features/run/RunPages.tsx", "./console/RunPage"],
    ["src/features/run/console/RunPage.tsx", "../../access/AccessPage"],
    ["src/features/access/AccessPage.tsx", "../import/ImportPage"],
    ["src/features/conferences/ConferenceFrame.tsx", "../import/ImportPage"],
  ])("in %s, of %s, fails", async (file, name) => {
    expect(await broken(file, `import "${name}";`)).toBe(true);
    expect(await broken(file, `void import("${name}");`)).toBe(true);
  });
  it.each([
    ["src/domain/run.ts", "../api/schema"],
    ["src/components/Notice.tsx", "../api/errors"],
    ["src/app/session.tsx", "../components/Notice"],
    ["src/features/run/console/RunPage.tsx", "../../runs/ExportDialog"],
    ["src/features/run/console/RunPage.tsx", "../../../api/client"],
    ["src/features/access/VisibilitySettings.tsx", "../runs/ManageRun"],
    ["src/features/ballots/BallotLinksCard.tsx", "../access/NewLinks"],
    ["src/console.tsx", "./features/runs/RunsPage"],
  ])("while %s may import %s", async (file, name) => {
    expect(await broken(file, `import "${name}";`)).toBe(false);
  });
});

describe("no two", () => {
  const sources = Object.entries(
    import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/api/schema.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  );
  const repeated = (names: string[]) => names.filter((name, at) => names.indexOf(name) !== at);

  it("files have the same name", () => {
    const names = sources.map(([path]) => path.replace(/.*\/|\.tsx?$/g, "").toLowerCase());
    expect(names.length).toBeGreaterThan(100);
    expect(repeated(names)).toEqual([]);
  });
});
