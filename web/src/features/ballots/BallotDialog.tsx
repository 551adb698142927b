// One ballot as a chair sees it: its order, its contradictions, and every version.
import { useQuery } from "@tanstack/react-query";

import { Button } from "../../components/buttons";
import type { BallotContent, BallotDetail, BallotLine, Collection } from "../../api/types";
import { useChange } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice, QueryStatus } from "../../components/Notice";
import { Time } from "../../components/tables";
import { NewLinks } from "../access/NewLinks";
import { AnswerList, ContentText } from "../ballot/BallotText";
import { ballotOfQuery, makeBallotLinks } from "./requests";

export function BallotDialog({
  collection,
  line,
  onClose,
}: {
  collection: Collection;
  line: BallotLine;
  onClose(): void;
}) {
  const who = line.name ?? line.reviewer;
  const query = useQuery(ballotOfQuery(collection.id, line.id));
  const making = useChange(() =>
    makeBallotLinks(collection.id, { ballot: line.id, only: "all", existing: "replace", days: 30 }),
  );
  const made = making.data?.links.map((link) => ({ ...link, id: link.ballot, name: who }));
  if (made)
    return (
      <NewLinks links={made} whose="Reviewer" warnings={collection.warnings} onClose={onClose} />
    );
  return (
    <Dialog title={`Ballot of ${who}`} onClose={onClose} wide>
      <QueryStatus query={query} />
      {query.data && <Detail detail={query.data} />}
      <ErrorNotice error={making.error} />
      <div className="row">
        <Button disabled={making.isPending} onClick={() => making.mutate()}>
          Replace the link
        </Button>
        <span className="hint">Ends the old link at once; the new one is valid for 30 days.</span>
      </div>
    </Dialog>
  );
}

function Detail({ detail: { papers, contradictions, versions } }: { detail: BallotDetail }) {
  const known = new Map(papers.map((each) => [each.paper, each]));
  const newest = versions.at(-1);
  return (
    <>
      {newest ? (
        <ContentText content={newest.content as BallotContent} papers={known} />
      ) : (
        <p className="soft">Nothing is saved yet.</p>
      )}
      <AnswerList
        contradictions={contradictions}
        scores={newest?.content.scores ?? {}}
        papers={known}
      />
      {versions.toReversed().map(({ version, saved_at, submitted, receipt, content }) => (
        <details key={version}>
          <summary>
            Version {version}, <Time at={saved_at} />
            {submitted && ", handed in"}, checksum <span className="mono">{receipt}</span>
          </summary>
          <ContentText content={content as BallotContent} papers={known} />
        </details>
      ))}
    </>
  );
}
