// The receipt: what counts, since when, how to change it, and the earlier versions.
import { useGet } from "../../app/queries";
import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import { Notice, QueryStatus } from "../../components/Notice";
import { Time } from "../../components/tables";
import { AnswerList, ContentText } from "./BallotText";
import type { Ballot, BallotPaper } from "./ballotApi";

export function Receipt({
  ballot,
  papers,
  locked,
  onChange,
}: {
  ballot: Ballot;
  papers: ReadonlyMap<string, BallotPaper>;
  locked: boolean;
  onChange(): void;
}) {
  const { collection, content, version, saved_at, submitted_at, submitted_version, receipt } =
    ballot;
  const settled = submitted_version === version; // nothing was saved after it was handed in
  return (
    <div className="stack ballot-receipt">
      {submitted_at && (
        <Notice tone="good">
          <p className="strong">Your ballot is in. Thank you.</p>
          <p>
            Handed in <Time at={submitted_at} />, version {submitted_version}
            {settled && (
              <>
                , checksum <span className="mono">{receipt}</span>. The chairs see the same checksum
              </>
            )}
            .
          </p>
        </Notice>
      )}
      <Card title={settled ? "What counts" : "What you saved last"} look="tight">
        {saved_at ? (
          <p className="soft">
            As saved <Time at={saved_at} />.{" "}
            {!settled && "You did not hand this version in: the chairs choose whether it counts."}
          </p>
        ) : (
          <p>You had not saved anything, so your ranking is not used.</p>
        )}
        {saved_at && <ContentText content={content} order={ballot.order} papers={papers} />}
        <AnswerList
          contradictions={ballot.contradictions}
          scores={content.scores}
          papers={papers}
        />
      </Card>
      {!locked && (
        <div className="row">
          <Button onClick={onChange}>Change my ballot</Button>
          <span className="soft">
            {collection.deadline ? (
              <>
                Until <Time at={collection.deadline} />, by the same link.
              </>
            ) : (
              "As long as the chairs leave it open, by the same link."
            )}
          </span>
        </div>
      )}
      <Versions key={version} />
    </div>
  );
}

function Versions() {
  const versions = useGet("/api/ballot/versions", {});
  return (
    <details className="card">
      <summary>All versions</summary>
      <QueryStatus query={versions} />
      <ul className="lines">
        {versions.data?.map(({ version, saved_at, submitted, receipt }) => (
          <li key={version}>
            Version {version}, <Time at={saved_at} />, checksum{" "}
            <span className="mono">{receipt}</span>
            {submitted && ", handed in"}
          </li>
        ))}
      </ul>
    </details>
  );
}
