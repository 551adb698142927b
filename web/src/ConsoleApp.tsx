// Which page an address means.
import { useEffect, useRef } from "react";

import { useRoute } from "./app/route";
import { SignedIn, useMe } from "./app/session";
import { AccessPage } from "./features/access/AccessPage";
import { ComparePage } from "./features/compare/ComparePage";
import { ConferenceFrame } from "./features/conferences/ConferenceFrame";
import { ConferencesPage } from "./features/conferences/ConferencesPage";
import "./styles/console.css";
import { EnterPage } from "./features/entrance/EnterPage";
import { ImportPage } from "./features/import/ImportPage";
import { MissingPage } from "./app/MissingPage";
import { RunPage } from "./features/run-viewer/RunPage";
import { RunsPage } from "./features/runs/RunsPage";

export function ConsoleApp() {
  const { path } = useRoute();
  useFocusOnNewPage(path.join("/"));
  if (path[0] === "enter" && path.length === 1) return <EnterPage />;
  return (
    <SignedIn>
      <Page path={path} />
    </SignedIn>
  );
}

/** Who goes to another page starts at its top, with the eyes and with the keyboard. */
function useFocusOnNewPage(page: string): void {
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    document.documentElement.scrollTop = 0;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [page]);
}

function Page({ path }: { path: string[] }) {
  const me = useMe();
  const [kind, id, page, ...rest] = path;
  if (!kind) return <ConferencesPage />;
  if (kind === "r" && id) return <RunPage key={id} id={id} path={path.slice(2)} />;
  if (kind !== "c" || !id || rest.length) return <MissingPage />;
  if (page === "runs" || (me.role === "area_chair" && !page))
    return <ConferenceFrame key={id} id={id} title="Runs" page={RunsPage} />;
  if (me.role === "area_chair") return <MissingPage />;
  if (!page) return <ConferenceFrame key={id} id={id} title="Import" page={ImportPage} />;
  if (page === "access")
    return <ConferenceFrame key={id} id={id} title="Access" page={AccessPage} />;
  if (page === "compare")
    return <ConferenceFrame key={id} id={id} title="Compare runs" page={ComparePage} wide />;
  return <MissingPage />;
}
