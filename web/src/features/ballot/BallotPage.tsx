// The reviewer's one page: their ballot, or its receipt once it is handed in.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { AccountMenu } from "../../app/AccountMenu";
import { Shell } from "../../app/Shell";
import { Notice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import "./ballot.css";
import { BallotBar } from "./BallotBar";
import { Deadline } from "./Deadline";
import { ballotQuery } from "./door";
import { ListBallot } from "./ListBallot";
import { OtherVersion } from "./OtherVersion";
import { PairsBallot } from "./PairsBallot";
import { Receipt } from "./Receipt";
import type { SaveState } from "./Saver";
import type { Ballot } from "./ballotTypes";
import { useBallot } from "./useBallot";

export function BallotPage() {
  const query = useQuery(ballotQuery);
  return (
    <Shell title={query.data?.collection.title || "Your ballot"} account={<AccountMenu />}>
      <Waiting query={query} />
      {query.data && <OpenBallotPage loaded={query.data} />}
    </Shell>
  );
}

function OpenBallotPage({ loaded }: { loaded: Ballot }) {
  const open = useBallot(loaded);
  const { ballot, content, state, change, renew } = open;
  const { collection } = ballot;
  const [changing, setChanging] = useState(false); // after it was handed in
  const [later, setLater] = useState<SaveState | null>(null); // a question that was put off
  const papers = useMemo(
    () => new Map(ballot.papers.map((each) => [each.paper, each])),
    [ballot.papers],
  );
  const locked = collection.state === "closed" || state.kind === "closed";
  const handedIn = ballot.submitted_version !== null && ballot.submitted_version === ballot.version;
  const done = handedIn && !changing && state.kind === "saved";
  useFreshOnReturn(renew);
  return (
    <div className="stack ballot">
      <Deadline collection={collection} locked={locked} onPassed={renew} />
      {locked && state.kind !== "saved" && (
        <Notice tone="bad">
          What you changed last came too late and was not saved. What counts is below.
        </Notice>
      )}
      {done || locked ? (
        <Receipt
          ballot={ballot}
          papers={papers}
          locked={locked}
          onChange={() => setChanging(true)}
        />
      ) : (
        <>
          {collection.instructions && (
            <p className="ballot-instructions">{collection.instructions}</p>
          )}
          {collection.options.mode === "pairs" ? (
            <PairsBallot
              ballot={ballot}
              content={content}
              papers={papers}
              waiting={state.kind !== "saved"}
              onChange={change}
            />
          ) : (
            <ListBallot ballot={ballot} content={content} onChange={change} />
          )}
          <BallotBar
            open={open}
            onChoose={() => setLater(null)}
            onSubmit={() => {
              open.submit();
              setChanging(false);
            }}
          />
        </>
      )}
      {state.kind === "conflict" && later !== state && (
        <OtherVersion
          theirs={state.theirs}
          mine={state.mine}
          papers={papers}
          onClose={() => setLater(state)}
          onChoose={open.settle}
        />
      )}
    </div>
  );
}

/** Ask the server again when the reviewer comes back to this tab: another one may have saved. */
function useFreshOnReturn(renew: () => Promise<void>): void {
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === "visible") renew().catch(() => {}); // saving tells it
    };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  });
}
