// The pages of one run: its papers, one paper, the overview. The console and the offline report share them.
import { useMemo, type ReactNode } from "react";

import type { Accept } from "../../domain/line";
import { counted } from "../../domain/format";
import { hasScores, type Run } from "../../domain/run";
import { numbersText, scopeText } from "../../domain/sentences";
import { Shell } from "../../app/Shell";
import { useRoute } from "../../app/route";
import { ActionsContext, RunContext, SearchContext, type RunActions } from "./context";
import { OrderedPaper, OrderedPapers } from "./order/OrderedPapers";
import { Paper } from "./paper/Paper";
import { Papers } from "./papers/Papers";
import { TableProvider } from "./useTable";
import { Button } from "../../components/buttons";
import type { Saving } from "./context";
import "./run.css";

const NO_ACTIONS: RunActions = {};

export function RunPages({
  run,
  line = null,
  base,
  path,
  overview,
  actions = NO_ACTIONS,
  crumbs = [],
  compare,
  account,
  banner,
}: {
  run: Run;
  line?: Accept | null; // the chairs' line, of the conference
  base: string; // the address of the run's papers, "" at the root
  path: string[]; // after the base
  overview: ReactNode; // a page that the console loads when it is opened
  actions?: RunActions;
  crumbs?: { to: string; text: string }[];
  compare?: string | undefined; // the address where the run is compared with another one
  account?: ReactNode;
  banner?: ReactNode;
}) {
  const { query } = useRoute();
  const page = pageOf(path, run);
  const numbers = numbersText(run.view);
  const search = query.size ? `?${query}` : "";
  const value = useMemo(() => ({ run, line, base }), [run, line, base]);
  const ordered = !hasScores(run.view);
  const tabs = ordered
    ? []
    : [
        { to: `${base || "/"}${search}`, text: "Papers", current: page.kind === "papers" },
        { to: `${base}/overview${search}`, text: "Overview", current: page.kind === "overview" },
        ...(compare ? [{ to: compare, text: "Compare", current: false }] : []),
      ];
  return (
    <RunContext value={value}>
      <ActionsContext value={actions}>
        <SearchContext value={search}>
          <Shell
            title={page.title}
            about={run.view.name}
            crumbs={base ? [...crumbs, { to: `${base}${search}`, text: run.view.name }] : crumbs}
            tabs={tabs}
            account={account}
            banner={
              <>
                {banner}
                <UnsavedBanner saving={actions.saving} />
              </>
            }
            layout={layoutOf(page, ordered)}
          >
            {/* Paper has no header: the sheet itself names the run. */}
            <p className="only-print soft">{scopeText(run)}</p>
            {numbers && <p className="hint disclosure-note">{numbers}</p>}
            {ordered && page.kind === "papers" && <OrderedPapers />}
            {ordered && page.kind === "paper" && <OrderedPaper paper={page.paper} />}
            {!ordered && (
              <TableProvider>
                {page.kind === "papers" && <Papers />}
                {page.kind === "overview" && overview}
                {page.kind === "paper" && <Paper paper={page.paper} />}
              </TableProvider>
            )}
            {page.kind === "missing" && <p>This run has no such page.</p>}
          </Shell>
        </SearchContext>
      </ActionsContext>
    </RunContext>
  );
}

type Page =
  | { kind: "papers" | "overview" | "missing"; title: string }
  | { kind: "paper"; title: string; paper: number };

function pageOf(path: string[], run: Run): Page {
  const [first, id, ...rest] = path;
  if (first === undefined)
    return { kind: "papers", title: hasScores(run.view) ? "Papers" : orderTitle(run) };
  if (first === "overview" && id === undefined && hasScores(run.view))
    return { kind: "overview", title: "Overview" };
  const paper = first === "paper" && !rest.length ? run.paperIndex.get(id ?? "") : undefined;
  if (paper === undefined) return { kind: "missing", title: "Not here" };
  const title = run.view.papers.title?.[paper];
  return { kind: "paper", title: title ? `Paper ${id}: ${title}` : `Paper ${id}`, paper };
}

function layoutOf({ kind }: Page, ordered: boolean) {
  if (kind === "paper") return "page";
  if (ordered || kind === "missing") return "wide";
  return kind === "papers" ? "wide untitled fill" : "wide untitled";
}

const orderTitle = ({ papers }: Run): string => `Your ${counted(papers, "paper")}, best first`;

const SHOWN = 4; // changes

function UnsavedBanner({ saving }: { saving: Saving | undefined }) {
  const unsaved = saving?.changes.filter(({ message }) => message) ?? [];
  if (!saving || !unsaved.length) return null;
  const more = unsaved.length - SHOWN;
  const busy = unsaved.some((one) => one.busy);
  return (
    <div className="banner unsaved-banner no-print" role="alert" aria-label="Not saved">
      <ul className="bare">
        {unsaved.slice(0, SHOWN).map(({ message }, place) => (
          <li key={place}>{message}</li>
        ))}
        {more > 0 && <li>{counted(more, "more change")} not saved.</li>}
      </ul>
      {unsaved.some(({ again }) => again) ? (
        <>
          <Button disabled={busy} onClick={saving.tryAgain}>
            {busy ? "Trying again…" : "Try again"}
          </Button>
          <Button look="quiet" disabled={busy} onClick={saving.giveUp}>
            Discard
          </Button>
        </>
      ) : (
        <Button look="quiet" onClick={saving.giveUp}>
          Close
        </Button>
      )}
    </div>
  );
}
