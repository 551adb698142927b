// The signed-in viewer. Anybody else is sent to the entrance and, after entering, back to this page.
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, type ReactNode } from "react";

import { SIGNED_OUT } from "../api/errors";
import type { Me } from "../api/types";
import { Waiting } from "../components/Waiting";
import { meQuery } from "./queries";
import { useRoute } from "./route";

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

export function SignedIn({ children }: { children: ReactNode }) {
  const { go } = useRoute();
  const me = useQuery(meQuery);
  useEffect(() => {
    const leave = () => go(entranceFor(window.location.pathname + window.location.search), true);
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [go]);
  if (!me.data) return <Waiting query={me} />;
  return <Session.Provider value={me.data}>{children}</Session.Provider>;
}

export function entranceFor(address: string): string {
  return address === "/" ? "/enter?ended=1" : `/enter?to=${encodeURIComponent(address)}`;
}

/** The page to open after entering; only pages of this console are accepted. */
export function pageAfter(query: URLSearchParams): string {
  const to = query.get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) && !to.startsWith("/enter") ? to : "/";
}
