// The entrance: a link's secret is exchanged for a session.
import { useCallback, useEffect, useRef, useState } from "react";

import { post } from "../../api/client";
import { Notice } from "../../components/Notice";
import { Shell } from "../../app/Shell";
import { TextField } from "../../components/TextField";
import { useRoute } from "../../app/route";
import { pageAfter } from "../../app/session";
import { refusalOf, secretIn, takeSecret } from "./secret";

export function EnterPage() {
  const { query, go } = useRoute();
  const [pasted, setPasted] = useState("");
  const [busy, setBusy] = useState(() => window.location.hash.length > 1);
  const [problem, setProblem] = useState<string | null>(null);
  const after = useRef("/");
  useEffect(() => {
    after.current = pageAfter(query);
  }, [query]);

  const enter = useCallback(
    async (secret: string) => {
      setBusy(true);
      setProblem(null);
      try {
        await post("enter", { secret });
        go(after.current, true);
      } catch (error) {
        setBusy(false);
        setProblem(refusalOf(error));
      }
    },
    [go],
  );
  useEffect(() => {
    // Also when a link is put into the address bar of a page that is already open.
    const take = () => {
      const secret = takeSecret();
      if (secret) void enter(secret);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [enter]);

  return (
    <Shell title="Enter">
      <form
        className="card stack enter"
        onSubmit={(event) => {
          event.preventDefault();
          const secret = secretIn(pasted);
          if (secret) void enter(secret);
          else setProblem("Paste your link first.");
        }}
      >
        <p>{greeting(query)}</p>
        <TextField
          label="Link"
          type="text"
          autoComplete="off"
          spellCheck={false}
          hint={
            <>
              The whole link or the part after #. Chairs find theirs where{" "}
              <code>unround serve</code> runs; area chairs get theirs from the chairs.
            </>
          }
          value={pasted}
          onChange={setPasted}
        />
        {problem && <Notice tone="bad">{problem}</Notice>}
        <div className="row">
          <button type="submit" className="button primary" disabled={busy}>
            Enter
          </button>
          {busy && (
            <span className="soft" role="status">
              Opening your link…
            </span>
          )}
        </div>
      </form>
    </Shell>
  );
}

function greeting(query: URLSearchParams): string {
  if (query.has("left")) return "You have left. Open your link again to come back.";
  if (query.has("to"))
    return "You are not signed in, or your link has ended. Open your link or paste it here; you then come back to the page you asked for.";
  return "Open the link that you were given, or paste it here.";
}
