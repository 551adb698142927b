// The signed-in viewer, their menu, and the page for what they may not open.
import { useMutation } from "@tanstack/react-query";
import { createContext, useContext, useEffect, type ReactNode } from "react";

import { Menu, MenuItem } from "../components/buttons";
import { ThemeSwitch } from "../components/choices";
import { SIGNED_OUT } from "../api/errors";
import type { Me } from "../api/schema";
import { ErrorNotice, QueryStatus } from "../components/Notice";
import { useGet } from "./queries";
import { useRoute, Link } from "./route";
import { post } from "../api/client";
import { Shell } from "./Shell";

const Session = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(Session);
  if (!me) throw new Error("useMe is for pages inside SignedIn");
  return me;
}

/** Whether the viewer opens every conference of this server. */
export function isOwner(me: Me): boolean {
  return me.role === "chair" && !me.conference;
}

/** Anybody who is not signed in is sent to the entrance and, after entering, back to this page. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { go } = useRoute();
  const me = useGet("/api/me", {}, { staleTime: "static" });
  useEffect(() => {
    const leave = () => go(entranceFor(window.location.pathname + window.location.search), true);
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [go]);
  if (!me.data) return <QueryStatus query={me} />;
  return <Session.Provider value={me.data}>{children}</Session.Provider>;
}

export const entranceFor = (address: string): string => `/enter?to=${encodeURIComponent(address)}`;

/** The page to open after entering; only pages of this console are accepted. */
export function pageAfter(query: URLSearchParams): string {
  const to = query.get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) && !to.startsWith("/enter") ? to : "/";
}

/** Who is signed in: the theme, and the way out. */
export function AccountMenu() {
  const me = useMe();
  const { go } = useRoute();
  const leaving = useMutation({
    mutationFn: () => post("/api/leave", {}),
    onSuccess: () => go("/enter?left=1"),
  });
  return (
    <Menu text={nameOf(me)} label={`Account: ${nameOf(me)}`}>
      <ThemeSwitch />
      <MenuItem stays disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        Leave
      </MenuItem>
      <ErrorNotice error={leaving.error} />
    </Menu>
  );
}

function nameOf(me: Me): string {
  if (me.role === "area_chair") return me.name ?? "Area chair";
  if (me.role === "reviewer") return me.name ?? "Reviewer";
  const role = isOwner(me) ? "owner" : "chair";
  return me.name ? `${me.name} (${role})` : isOwner(me) ? "Owner" : "Chair";
}

/** Shown for addresses that do not exist and for those that this viewer may not open. */
export function MissingPage() {
  return (
    <Shell title="Nothing here" account={<AccountMenu />}>
      <div className="stack">
        <p>There is no page at this address, or your link does not open it.</p>
        <p>
          <Link to="/">Go to the start</Link>
        </p>
      </div>
    </Shell>
  );
}
