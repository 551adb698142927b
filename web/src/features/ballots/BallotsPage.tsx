// Ballots of a conference: the list of collections with the form for a new one, or one collection.
import { useState } from "react";

import { Button } from "../../components/buttons";
import type { ConferenceDetail } from "../../api/schema";
import { useGet } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { QueryStatus } from "../../components/Notice";
import { CollectionState, CollectionHead, CollectionFigures } from "./CollectionHead";
import { NewCollection } from "./NewCollection";
import { count } from "../../domain/format";
import { hasStatus } from "../../api/errors";
import { BallotList } from "./BallotList";
import { BallotLinksCard } from "./BallotLinksCard";
import { RankingsCard } from "./RankingsCard";

export function BallotsPage({ conference }: { conference: ConferenceDetail }) {
  const collection = useRoute().path[3];
  return collection ? (
    <CollectionPage key={collection} conference={conference} id={collection} />
  ) : (
    <Collections conference={conference} />
  );
}

function Collections({ conference }: { conference: ConferenceDetail }) {
  const query = useGet("/api/conferences/{conference}/collections", { conference: conference.id });
  const [open, setOpen] = useState(false);
  const collections = query.data;
  return (
    <div className="stack">
      <div className="row spread">
        <p className="soft">
          Ask reviewers to rank their papers: each gets a link to a page with their own papers.
        </p>
        {!open && (
          <Button look="primary" onClick={() => setOpen(true)}>
            New collection
          </Button>
        )}
      </div>
      {open && <NewCollection conference={conference} onClose={() => setOpen(false)} />}
      <QueryStatus query={query} />
      {collections?.length === 0 && !open && <p className="soft">No collection yet.</p>}
      {collections && collections.length > 0 && (
        <DataTable
          label="Collections"
          look="card flush"
          rows={collections}
          keyOf={({ id }) => id}
          columns={[
            {
              head: "Title",
              cell: ({ id, title }) => (
                <Link to={`/c/${conference.id}/ballots/${id}`} className="strong">
                  {title}
                </Link>
              ),
            },
            { head: "State", cell: ({ state }) => <CollectionState state={state} /> },
            { head: "Handed in", cell: ({ submitted }) => count(submitted), number: true },
            { head: "Saved", cell: ({ saved }) => count(saved), number: true, onWide: true },
            { head: "Ballots", cell: ({ ballots }) => count(ballots), number: true },
            {
              head: "Deadline",
              cell: ({ deadline }) => (deadline ? <Time at={deadline} /> : "none"),
              onWide: true,
              look: "soft",
            },
          ]}
        />
      )}
    </div>
  );
}

const POLL_INTERVAL = 15_000; // ms between two looks at how far reviewers have come

/** One collection: how far reviewers have come, their links, and what to do with their rankings. */
function CollectionPage({ conference, id }: { conference: ConferenceDetail; id: string }) {
  const path = "/api/collections/{collection}";
  const query = useGet(path, { collection: id }, { refetchInterval: POLL_INTERVAL });
  const collection = query.data;
  const back = `/c/${conference.id}/ballots`;
  return (
    <div className="stack">
      <p>
        <Link to={back}>All collections</Link>
      </p>
      {hasStatus(query.error, 404, 422) ? (
        <p>There is no such collection.</p>
      ) : (
        !collection && <QueryStatus query={query} />
      )}
      {collection && (
        <>
          <CollectionHead collection={collection} />
          <CollectionFigures collection={collection} />
          <BallotLinksCard collection={collection} />
          <RankingsCard collection={collection} conference={conference} />
          <BallotList collection={collection} />
        </>
      )}
    </div>
  );
}
