// Who is signed in. Whoever is not goes to the entrance, and comes back to the page asked for.
import { createContext, useContext, useEffect, type ReactNode } from "react";

import { SIGNED_OUT, type Schemas } from "../api/client";
import { Waiting } from "../components/Waiting";
import { useRoute } from "./route";
import { useAnswer } from "./useAnswer";

export type Me = Schemas["Me"];

const Session = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(Session);
  if (!me) throw new Error("useMe is for pages behind the entrance");
  return me;
}

export function SignedIn({ children }: { children: ReactNode }) {
  const { go } = useRoute();
  const me = useAnswer<Me>("me");
  useEffect(() => {
    const leave = () => go(entranceFor(window.location.pathname + window.location.search), true);
    window.addEventListener(SIGNED_OUT, leave);
    return () => window.removeEventListener(SIGNED_OUT, leave);
  }, [go]);
  if (!me.data) return <Waiting problem={me.problem} again={me.again} />;
  return <Session.Provider value={me.data}>{children}</Session.Provider>;
}

export function entranceFor(address: string): string {
  return address === "/" ? "/enter?ended=1" : `/enter?to=${encodeURIComponent(address)}`;
}

/** Where to go after entering: only ever a page of this console. */
export function pageAfter(query: URLSearchParams): string {
  const to = query.get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) && !to.startsWith("/enter") ? to : "/";
}
