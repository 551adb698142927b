// The reviewer's one page: their ballot, or its receipt once it is handed in.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";

import { Button } from "../../components/buttons";
import { AccountMenu } from "../../app/session";
import { Shell } from "../../app/Shell";
import { Notice, QueryStatus } from "../../components/Notice";
import { BallotBar } from "./BallotBar";
import {
  loadBallot,
  type Ballot,
  type BallotContent,
  type BallotPaper,
  useBallot,
} from "./useBallot";
import { ListBallot } from "./ListBallot";
import { PairsBallot } from "./PairsBallot";
import { Receipt, ContentText } from "./BallotText";
import { contradictionsIn, questionsFrom } from "./contradictions";
import type { SaveState } from "./Saver";
import { Dialog } from "../../components/Dialog";
import { momentOf, timeLeft } from "./words";
import { Time } from "../../components/tables";
import "./ballot.css";

export function BallotPage() {
  const query = useQuery({
    queryKey: ["ballot"],
    queryFn: loadBallot,
    staleTime: "static",
  });
  return (
    <Shell title={query.data?.collection.title || "Your ballot"} account={<AccountMenu />}>
      <QueryStatus query={query} />
      {query.data && <OpenBallotPage loaded={query.data} />}
    </Shell>
  );
}

function OpenBallotPage({ loaded }: { loaded: Ballot }) {
  const open = useBallot(loaded);
  const { ballot, content, state, change, reload } = open;
  const { collection } = ballot;
  const [changing, setChanging] = useState(false); // after it was handed in
  const [later, setLater] = useState<SaveState | null>(null); // a question that was put off
  const [asking, setAsking] = useState(false); // before it is handed in with open questions
  const papers = useMemo(
    () => new Map(ballot.papers.map((each) => [each.paper, each])),
    [ballot.papers],
  );
  const locked = collection.state === "closed" || state.kind === "closed";
  const handedIn = ballot.submitted_version !== null && ballot.submitted_version === ballot.version;
  const done = handedIn && !changing && state.kind === "saved";
  const openQuestions = openQuestionsIn(ballot, content, papers);
  const handIn = () => {
    setAsking(false);
    open.submit();
    setChanging(false);
  };
  useReloadOnReturn(reload);
  return (
    <div className="stack ballot">
      <Deadline collection={collection} locked={locked} onPassed={reload} />
      {locked && state.kind !== "saved" && (
        <Notice tone="bad">
          Your last change came too late and was not saved. What was saved is below.
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
          {ballot.submitted_at && (
            <Notice>
              You handed this ballot in on <Time at={ballot.submitted_at} />, and it stays handed
              in. Changes are saved as you go; hand in again when you are done.
            </Notice>
          )}
          {collection.instructions && <p className="pre-line">{collection.instructions}</p>}
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
            onSubmit={() => (openQuestions ? setAsking(true) : handIn())}
          />
        </>
      )}
      {asking && (
        <Dialog
          title={
            openQuestions === 1 ? "One question is open" : `${openQuestions} questions are open`
          }
          onClose={() => setAsking(false)}
        >
          <p>
            Your order contradicts your scores there. Without an answer the chairs decide what
            counts.
          </p>
          <div className="row">
            <Button look="primary" onClick={() => setAsking(false)}>
              Back to the questions
            </Button>
            <Button onClick={handIn}>Hand in without answers</Button>
          </div>
        </Dialog>
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

/** How many contradictions of a list have no answer; in pairs each is asked at once. */
function openQuestionsIn(
  { collection: { options, levels } }: Ballot,
  content: BallotContent,
  papers: ReadonlyMap<string, BallotPaper>,
): number {
  if (options.mode === "pairs") return 0;
  const pairs = contradictionsIn(content, papers, levels, options.top_k);
  return questionsFrom(pairs, content.answers).filter(({ answer }) => !answer).length;
}

/** Ask the server again when the reviewer comes back to this tab: another one may have saved. */
function useReloadOnReturn(reload: () => Promise<void>): void {
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === "visible") reload().catch(() => {}); // a failure shows when saving
    };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  });
}

/** Two versions of one ballot, from two tabs or devices: the reviewer says which one counts. */
function OtherVersion({
  theirs,
  mine,
  papers,
  onChoose,
  onClose,
}: {
  theirs: Ballot;
  mine: BallotContent;
  papers: ReadonlyMap<string, BallotPaper>;
  onChoose(which: "mine" | "theirs"): void;
  onClose(): void; // decide later
}) {
  const at = theirs.saved_at && momentOf(theirs.saved_at, new Date());
  return (
    <Dialog title="Your ballot was changed elsewhere" onClose={onClose} wide>
      <p>Another tab or device saved it{at && ` at ${at}`}. Which one counts?</p>
      <div className="ballot-versions">
        <section className="card stack tight" aria-label="On this page">
          <h3>On this page</h3>
          <ContentText content={mine} papers={papers} />
          <Button look="primary" onClick={() => onChoose("mine")}>
            Keep this one
          </Button>
        </section>
        <section className="card stack tight" aria-label="Saved elsewhere">
          <h3>Saved elsewhere</h3>
          <ContentText content={theirs.content} order={theirs.order} papers={papers} />
          <Button onClick={() => onChoose("theirs")}>Take that one</Button>
        </section>
      </div>
    </Dialog>
  );
}

const RETRY_AFTER = 15_000; // ms before asking again a server that has not closed yet
const MAX_WAIT = 2 ** 31 - 1; // ms that a timer can wait

/** Until when a ballot can be changed. At the deadline the ballot is loaded again. */
export function Deadline({
  collection: { deadline, state },
  locked,
  onPassed,
}: {
  collection: Ballot["collection"];
  locked: boolean;
  onPassed(): Promise<void>;
}) {
  const now = useNow();
  useEffect(() => {
    if (!deadline || state === "closed") return;
    const left = Date.parse(deadline) - Date.now();
    // The clock of this device may be ahead of the server's.
    const wait = left > 0 ? Math.min(MAX_WAIT, left + 500) : RETRY_AFTER;
    const timer = window.setTimeout(() => onPassed().catch(() => {}), wait);
    return () => window.clearTimeout(timer);
  });
  if (locked)
    return (
      <Notice tone="warn">
        {deadline && Date.parse(deadline) <= now ? (
          <>
            The deadline passed on <Time at={deadline} />.
          </>
        ) : (
          "The chairs have closed this collection."
        )}{" "}
        Your ballot can no longer be changed.
      </Notice>
    );
  if (!deadline) return null;
  const left = timeLeft(deadline, now);
  return (
    <p className="soft">
      Open until <Time at={deadline} />
      {left && ` (${left} left)`}.
    </p>
  );
}

/** The time now, renewed every half minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
