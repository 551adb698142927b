// One collection: how far reviewers have come, their links, and what to do with their rankings.
import { useQuery } from "@tanstack/react-query";

import { hasStatus } from "../../api/errors";
import type { Conference } from "../../api/types";
import { Link } from "../../app/route";
import { Waiting } from "../../components/Waiting";
import { BallotList } from "./BallotList";
import { BallotLinksCard } from "./BallotLinksCard";
import { CollectionHead } from "./CollectionHead";
import { CollectionFigures } from "./CollectionFigures";
import { RankingsCard } from "./RankingsCard";
import { collectionQuery } from "./requests";

export function CollectionPage({ conference, id }: { conference: Conference; id: string }) {
  const query = useQuery(collectionQuery(id));
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
        !collection && <Waiting query={query} />
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
