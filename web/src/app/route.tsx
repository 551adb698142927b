// Routing. The console uses real addresses; the offline report, a file on disk, those after "#".
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type AnchorHTMLAttributes,
  type ReactNode,
} from "react";

interface History {
  read(): string; // "/r/1?sort=mean"
  write(address: string, replace: boolean): void;
  href(address: string): string;
}

const browserHistory: History = {
  read: () => window.location.pathname + window.location.search,
  write: (address, replace) =>
    window.history[replace ? "replaceState" : "pushState"](null, "", address),
  href: (address) => address,
};

const hashHistory: History = {
  read: () => window.location.hash.slice(1) || "/",
  write: (address, replace) =>
    window.history[replace ? "replaceState" : "pushState"](null, "", `#${address}`),
  href: (address) => `#${address}`,
};

const CHANGED = "unround:address";
const Addresses = createContext<History>(browserHistory);

export function Router({ kind, children }: { kind: "browser" | "hash"; children: ReactNode }) {
  return (
    <Addresses.Provider value={kind === "hash" ? hashHistory : browserHistory}>
      {children}
    </Addresses.Provider>
  );
}

function subscribe(notify: () => void): () => void {
  const events = ["popstate", "hashchange", CHANGED];
  for (const name of events) window.addEventListener(name, notify);
  return () => {
    for (const name of events) window.removeEventListener(name, notify);
  };
}

interface Route {
  path: string[]; // decoded parts
  query: URLSearchParams;
  /** Go to an address; `replace` adds no step to the history. */
  go(address: string, replace?: boolean): void;
  /** Change some parameters and keep the rest; null or "" removes one. `push` adds a step to the history. */
  set(changes: Record<string, string | null>, push?: boolean): void;
  href(address: string): string;
}

export function useRoute(): Route {
  const history = useContext(Addresses);
  const address = useSyncExternalStore(subscribe, () => history.read());
  const go = useCallback(
    (to: string, replace = false) => {
      history.write(to, replace);
      window.dispatchEvent(new Event(CHANGED));
    },
    [history],
  );
  return useMemo(() => {
    const [before = "/", after = ""] = address.split("?", 2);
    const query = new URLSearchParams(after);
    const set = (changes: Record<string, string | null>, push = false) => {
      // Two changes may come before the next render: start from the current address.
      const [path = "/", old = ""] = history.read().split("?", 2);
      const next = new URLSearchParams(old);
      for (const [name, value] of Object.entries(changes))
        if (value) next.set(name, value);
        else next.delete(name);
      go(next.size ? `${path}?${next}` : path, !push);
    };
    return {
      path: before.split("/").filter(Boolean).map(decoded),
      query,
      go,
      set,
      href: (to: string) => history.href(to),
    };
  }, [address, go, history]);
}

/** Decode a part of an address; a malformed one stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Scroll to the top of a new page and move the keyboard's focus there. */
export function useStartAtTop(): void {
  const page = useRoute().path.join("/");
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    document.documentElement.scrollTop = 0;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [page]);
}

/** A link inside the application; middle clicks and new tabs work as usual. */
export function Link({
  to,
  children,
  ...rest
}: { to: string; children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const { go, href } = useRoute();
  return (
    <a
      {...rest}
      href={href(to)}
      onClick={(event) => {
        if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
          return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
