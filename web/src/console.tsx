// The console that `unround serve` serves: its entry point, and the page for each address.
import { StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";

// First: later sheets override it.
import "./styles/base.css";

import type { Me } from "./api/schema";
import { MissingPage, isOwner, SignedIn, useMe } from "./app/session";
import { QueryProvider } from "./app/queries";
import { Router, useRoute, useStartAtTop } from "./app/route";
import { Boundary } from "./components/Boundary";
import { AccessPage } from "./features/access/AccessPage";
import { ServerPage } from "./features/access/ServerPage";
import { BallotPage } from "./features/ballot/BallotPage";
import { BallotsPage } from "./features/ballots/BallotsPage";
import { ComparePage } from "./features/compare/ComparePage";
import { ConferenceFrame, type ConferencePage } from "./features/conferences/ConferenceFrame";
import { ConferencesPage } from "./features/conferences/ConferencesPage";
import { EnterPage } from "./features/entrance/EnterPage";
import { ImportPage } from "./features/import/ImportPage";
import { RunPage } from "./features/run/console/RunPage";
import { RunsPage } from "./features/runs/RunsPage";
import "./styles/console.css";

/** The keys clear the cache of queries on entering and leaving: the next viewer may see less. */
export function ConsoleApp() {
  const { path } = useRoute();
  useStartAtTop();
  if (path[0] === "enter" && path.length === 1)
    return (
      <QueryProvider key="entrance">
        <EnterPage />
      </QueryProvider>
    );
  return (
    <QueryProvider key="inside">
      <SignedIn>
        <Page path={path} />
      </SignedIn>
    </QueryProvider>
  );
}

/** The pages of a conference: a new one is one entry here, and has its address and its tab. */
const PAGES: ConferencePage[] = [
  { path: "", title: "Import", page: ImportPage },
  { path: "runs", title: "Runs", page: RunsPage, forAreaChairs: true },
  { path: "compare", title: "Compare runs", page: ComparePage, tab: "runs", wide: true },
  { path: "ballots", title: "Ballots", page: BallotsPage, hasSubpages: true },
  { path: "access", title: "Access", page: AccessPage },
];

function Page({ path }: { path: string[] }) {
  const me = useMe();
  const chair = me.role === "chair";
  const [kind, id, name = "", ...rest] = path;
  if (me.role === "reviewer")
    return !kind || (kind === "ballot" && !id) ? <BallotPage /> : <MissingPage />;
  if (!kind) return isOwner(me) ? <ConferencesPage /> : <Home me={me} />;
  if (kind === "r" && id) return <RunPage key={id} id={id} path={path.slice(2)} />;
  if (kind === "server" && !id) return isOwner(me) ? <ServerPage /> : <MissingPage />;
  const page = PAGES.find((one) => one.path === (chair ? name : name || "runs"));
  if (kind !== "c" || !id || !page || rest.length > (page.hasSubpages ? 1 : 0))
    return <MissingPage />;
  if (!chair && !page.forAreaChairs) return <MissingPage />;
  // The key remounts, so that each page loads the conference again.
  return <ConferenceFrame key={`${id} ${name}`} id={id} page={page} pages={PAGES} />;
}

/** Leads chairs of a conference to it, and area chairs to their papers in the newest run, if there is one. */
function Home({ me: { role, conference, home } }: { me: Me }) {
  const { go } = useRoute();
  const pages = `/c/${conference}`;
  const to = role === "chair" ? pages : home ? `/r/${home}` : `${pages}/runs`;
  useEffect(() => go(to, true), [go, to]);
  return null;
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Boundary>
        <Router kind="browser">
          <ConsoleApp />
        </Router>
      </Boundary>
    </StrictMode>,
  );
