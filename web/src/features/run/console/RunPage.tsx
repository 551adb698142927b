// The pages of a run in the console: as the viewer may see it or, for chairs, as an area chair does.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { Button } from "../../../components/buttons";
import { addressOf } from "../../../api/client";
import { hasStatus } from "../../../api/errors";
import { AccountMenu, MissingPage, useMe } from "../../../app/session";
import { runQuery, useGet } from "../../../app/queries";
import { useRoute } from "../../../app/route";
import { Shell } from "../../../app/Shell";
import { QueryStatus } from "../../../components/Notice";
import { marksOf } from "../../../domain/decisions";
import { withMarks, type Run } from "../../../domain/run";
import type { DownloadGroup } from "../context";
import { Overview } from "../overview/Overview";
import { RunPages } from "../RunPages";
import { ExportDialog } from "../../runs/ExportDialog";
import { InfluenceFold, Swing, useInfluence } from "./Influence";
import { useChairData, useRecommending } from "./chairData";
import { PaperHistory, SavedViews } from "./ChairParts";
import { useSaving } from "./useSaving";

export function RunPage({ id, path }: { id: string; path: string[] }) {
  const me = useMe();
  const { query, go } = useRoute();
  const chair = me.role === "chair";
  const as = chair ? query.get("as") : null;
  const info = useGet("/api/runs/{run}", chair ? { run: id } : null);
  // A large view keeps the browser busy: what depends on the info is asked for at the same time.
  const view = useQuery({ ...runQuery(id, as), enabled: !chair || !info.isPending });
  const conference = chair ? info.data?.conference : me.conference;
  const changes = useSaving();
  const chairs = useChairData(id, chair && !as ? info.data : undefined, changes);
  const run = useRunWith(view.data, chairs);
  const crumbs =
    conference && run
      ? [{ to: `/c/${conference}/runs`, text: run.view.conference || "Conference" }]
      : [];
  const compare = useCompareAddress(chair && !as ? conference : null, id);
  const recommending = useRecommending(conference, run?.view.viewer.name, !chair, changes);
  const { data: sides } = useGet(
    "/api/runs/{run}/sides",
    run?.view.viewer.name ? { run: id, as } : null,
  );
  const influence = useInfluence(id, info.data, chair && !as);
  const [exporting, setExporting] = useState(false);
  const actions = useMemo(() => {
    const own = {
      ...chairs.actions,
      exportToSystem: () => setExporting(true),
      ...(conference && {
        views: <SavedViews conference={conference} />,
        history: (paper: string) => <PaperHistory conference={conference} paper={paper} />,
      }),
    };
    return {
      saving: changes.saving,
      downloads: downloadsOf(id, chair, as),
      ...(recommending && { recommending }),
      ...(sides && { sides }),
      ...(chair && !as ? own : {}),
    };
  }, [id, conference, chair, as, chairs.actions, changes.saving, recommending, sides]);
  const base = `/r/${encodeURIComponent(id)}`;
  if (hasStatus(view.error, 404, 422)) return <MissingPage />;
  if (!run || (chair && !as && !info.error && !chairs.ready))
    return (
      <Shell title="Papers" account={<AccountMenu />} layout="wide">
        <QueryStatus query={view} what="Loading the run…" />
      </Shell>
    );
  return (
    <>
      <RunPages
        run={run}
        line={chairs.line}
        base={base}
        path={path}
        overview={
          chair && !as ? (
            <Overview swing={<Swing influence={influence} />}>
              <InfluenceFold influence={influence} />
            </Overview>
          ) : (
            <Overview />
          )
        }
        actions={actions}
        crumbs={crumbs}
        compare={compare}
        account={<AccountMenu />}
        banner={
          as &&
          info.data && (
            <PreviewBanner
              name={run.view.viewer.name}
              shared={info.data.shared}
              onEnd={() => go(base)}
            />
          )
        }
      />
      {exporting && conference && (
        <ExportDialog run={id} conference={conference} onClose={() => setExporting(false)} />
      )}
    </>
  );
}

/** Where the run is compared with the latest other one; nothing while it is the only one. */
function useCompareAddress(conference: string | null | undefined, id: string): string | undefined {
  const { data } = useGet("/api/conferences/{conference}", conference ? { conference } : null);
  // The newest comes first.
  const latest = data?.runs.find((run) => run.status === "done" && run.id !== id);
  return latest && `/c/${conference}/compare?runs=${latest.id},${id}`;
}

function useRunWith(
  run: Run | undefined,
  { marks: listed, recommended }: ReturnType<typeof useChairData>,
): Run | undefined {
  const marks = useMemo(
    () => (run && listed ? marksOf(run, listed, recommended) : null),
    [run, listed, recommended],
  );
  return useMemo(() => run && withMarks(run, marks), [run, marks]);
}

/** Files that the server has of the whole run; tables and decisions are for chairs alone. */
function downloadsOf(run: string, chair: boolean, as: string | null): DownloadGroup[] {
  const report = {
    text: "Offline report (HTML)",
    href: addressOf("/api/runs/{run}/report.html", { run, as }),
  };
  if (as || !chair) return [{ heading: "To be read offline", files: [report] }];
  const tables = WHOLE_TABLES.map(([name, text]) => ({
    text,
    href: addressOf("/api/runs/{run}/tables/{name}", { run, name }),
  }));
  return [{ heading: "The whole run, with decisions", files: [...tables, report] }];
}

/** With places, statistics, decisions, tags, notes and rankings. */
const WHOLE_TABLES = [
  ["run.xlsx", "Workbook (XLSX)"],
  ["papers.csv", "All papers (CSV)"],
  ["reviews.csv", "All reviews (CSV)"],
] as const;

/** The banner over every page of a preview, so that no chair takes it for the whole run. */
function PreviewBanner({
  name,
  shared,
  onEnd,
}: {
  name: string | null;
  shared: boolean;
  onEnd(): void;
}) {
  const who = <strong>{name ?? "this area chair"}</strong>;
  return (
    <div className="banner preview-banner no-print" role="region" aria-label="Preview">
      {shared ? (
        <span>You see what {who} sees</span>
      ) : (
        <span>
          {who} sees nothing of this run, because it is not shared. This is what they would see.
        </span>
      )}
      <Button onClick={onEnd}>End preview</Button>
    </div>
  );
}
