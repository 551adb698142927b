// The entrance: exchanges the secret of a link for a session.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import { post } from "../../api/client";
import { useRoute } from "../../app/route";
import { pageAfter } from "../../app/session";
import { Shell } from "../../app/Shell";
import { Notice } from "../../components/Notice";
import { hasStatus, errorMessage } from "../../api/errors";

export function EnterPage() {
  const { query, go } = useRoute();
  const [pasted, setPasted] = useState("");
  const [missing, setMissing] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (secret: string) => post("/api/enter", {}, { secret }),
    onSuccess: () => go(pageAfter(query), true),
  });
  useEffect(() => {
    // A link may also be put into the address bar while this page is open.
    const take = () => {
      const secret = takeSecret();
      if (secret) mutate(secret);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [mutate]);
  const refusal = missing ? "Paste your link first." : error && refusalOf(error);

  return (
    <Shell title="Enter">
      <Form
        className="card stack enter"
        onSubmit={() => {
          const secret = secretIn(pasted);
          setMissing(!secret);
          if (secret) mutate(secret);
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
              <code>unround serve</code> runs; area chairs and reviewers get theirs from the chairs.
            </>
          }
          value={pasted}
          onChange={setPasted}
        />
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        <div className="row">
          <Button type="submit" look="primary" disabled={isPending}>
            Enter
          </Button>
          {isPending && (
            <span className="soft" role="status">
              Opening your link…
            </span>
          )}
        </div>
      </Form>
    </Shell>
  );
}

function greeting(query: URLSearchParams): string {
  if (query.has("left")) return "You have left. Open your link again to come back.";
  if (query.has("to"))
    return "You are not signed in, or your link no longer works. Open your link or paste it here; you then come back to the page you asked for.";
  return "Open the link that you were given, or paste it here.";
}

/** The secret in a whole link, in a part of one, or alone. */
export function secretIn(pasted: string): string {
  const text = pasted.trim();
  return text.slice(text.lastIndexOf("#") + 1).trim();
}

/** Read the secret after "#" and remove it at once from the address bar and the history. */
function takeSecret(): string {
  const secret = secretIn(window.location.hash);
  if (window.location.hash)
    window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return secret;
}

export function refusalOf(error: Error): string {
  if (hasStatus(error, 422))
    return "This link is mistyped or incomplete. Ask the chairs for a new one.";
  return errorMessage(error);
}
