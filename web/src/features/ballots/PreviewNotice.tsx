// What a collection will hold, before it is made.
import type { CollectionPreview } from "../../api/types";
import { Notice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import { counted } from "../../domain/format";

export function PreviewNotice({
  query,
}: {
  query: { data: CollectionPreview | undefined; error: Error | null; refetch(): unknown };
}) {
  const found = query.data;
  if (!found) return <Waiting query={query} what="Reading…" />;
  return (
    <Notice tone={found.ballots ? "info" : "bad"}>
      <p>{sentence(found)}</p>
      {found.too_short > 0 && (
        <p>
          No ballot for {counted(found.too_short, "reviewer")} with only one paper:{" "}
          {examples(found.too_short_examples, found.too_short)}.
        </p>
      )}
      {found.without_email > 0 && (
        <p>
          No e-mail address is known of {counted(found.without_email, "reviewer")}:{" "}
          {examples(found.without_email_examples, found.without_email)}. You can still make their
          links.
        </p>
      )}
    </Notice>
  );
}

/** "48 ballots for 48 reviewers, with 2 to 6 of 60 papers each, and the reviewers' scores." */
function sentence(found: CollectionPreview): string {
  if (!found.ballots) return "No reviewer has two papers or more: there is nothing to rank.";
  const sizes =
    found.fewest_papers === found.most_papers
      ? `${found.most_papers}`
      : `${found.fewest_papers} to ${found.most_papers}`;
  const scores = found.with_scores ? "and the scores they gave" : "and no scores";
  return `${counted(found.ballots, "ballot")}, with ${sizes} of ${counted(found.papers, "paper")} each, ${scores}.`;
}

function examples(names: string[], all: number): string {
  const more = all - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
