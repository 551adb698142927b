// The layers of src: entry points > features > app > components > domain > api. A file imports only
// from layers below its own; api, domain and components make no requests.

import { readdirSync } from "node:fs";

const FEATURES = readdirSync(new URL("src/features", import.meta.url));
/** The features that a feature may use beside itself. */
const USES = { access: ["runs"], ballots: ["access", "ballot"], run: ["runs"] };

const from = (...names) => `^(\\.\\./)+(${names.join("|")})(/|$)`;
const REQUESTS = {
  regex: "(^@tanstack/react-query$)|(/api/(?!schema$|errors$))",
  message: "This layer makes no requests: it may import api/schema and api/errors.",
};

function layer(files, ...patterns) {
  return {
    files: [files].flat(),
    rules: {
      "no-restricted-imports": ["error", { patterns }],
      // The rule above does not see import().
      "no-restricted-syntax": ["error", { selector: "ImportExpression", message: "No import()." }],
    },
  };
}

function feature(name) {
  const others = FEATURES.filter((other) => other !== name && !USES[name]?.includes(other));
  const apart = { regex: from(...others), message: `${name} may not import this feature.` };
  return layer(`src/features/${name}/**`, apart);
}

/** The pages of a run that the offline report shows too: without a server. */
function offlinePages() {
  const message = "The offline report has no server: only run/console may import this.";
  return {
    ...layer(
      "src/features/run/**",
      { regex: from(...FEATURES, "console"), message },
      { regex: "/(app/(?!route$|Shell$)|console/)", message },
      REQUESTS,
    ),
    ignores: ["src/features/run/console/**"],
  };
}

export const LAYERS = [
  layer("src/api/**", { regex: "^\\.\\./", message: "api is the lowest layer." }),
  layer(
    "src/domain/**",
    { regex: from("components", "app", "features"), message: "domain is below these layers." },
    { regex: "^(react|@tanstack)", message: "domain is plain TypeScript." },
    REQUESTS,
  ),
  layer(
    "src/components/**",
    { regex: from("app", "features"), message: "components is below these layers." },
    REQUESTS,
  ),
  layer("src/app/**", { regex: from("features"), message: "app is below features." }),
  // Used by the offline report.
  layer(
    ["src/app/route.tsx", "src/app/Shell.tsx"],
    { regex: from("features"), message: "app is below features." },
    {
      regex: "^\\./(?!route$|shell.css$)",
      message: "The offline report has no session and no queries.",
    },
    REQUESTS,
  ),
  ...FEATURES.map(feature),
  offlinePages(),
  layer(
    "src/report.tsx",
    { regex: "^\\./features/(?!run/)", message: "The report has the pages of a run only." },
    REQUESTS,
  ),
];
