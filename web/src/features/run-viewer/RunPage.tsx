// A run's pages in the console: as the viewer may see it, or, for chairs, as an area chair does.
import { useCallback, useMemo } from "react";

import { postForFile, type Schemas } from "../../api/client";
import { save } from "../../api/files";
import type { ExportRequest } from "../../domain/exportTable";
import { openRun, type View } from "../../domain/run";
import { Shell } from "../../app/Shell";
import { Waiting } from "../../components/Waiting";
import { KeepQuery, useRoute } from "../../app/route";
import { useMe } from "../../app/session";
import { useAnswer } from "../../app/useAnswer";
import { RunPages } from "../run/RunPages";
import { MissingPage } from "../../app/MissingPage";
import { AccountMenu } from "../../app/AccountMenu";
import { LazyOverview } from "./LazyOverview";
import { PreviewBanner } from "./PreviewBanner";

export function RunPage({ id, path }: { id: string; path: string[] }) {
  const me = useMe();
  const { query, go } = useRoute();
  const chair = me.role === "chair";
  const as = chair ? query.get("as") : null;
  const preview = as ? `?as=${encodeURIComponent(as)}` : "";
  const here = `runs/${encodeURIComponent(id)}`;
  const view = useAnswer<View>(`${here}/view${preview}`);
  const facts = useAnswer<Schemas["Run"]>(chair ? here : null);
  const run = useMemo(() => (view.data ? openRun(view.data) : null), [view.data]);
  const conference = chair ? facts.data?.conference : me.conference;
  const crumbs = useMemo(
    () =>
      conference && run
        ? [{ to: `/c/${conference}/runs`, text: run.view.conference || "Conference" }]
        : [],
    [conference, run],
  );
  const exportShown = useCallback(
    async (request: ExportRequest) =>
      save(await postForFile(`${here}/export`, request), `${request.table}.${request.format}`),
    [here],
  );
  const actions = useMemo(
    () => ({
      // The server exports for whoever is signed in: in a preview the page writes what it shows.
      ...(preview ? {} : { exportShown }),
      downloads: downloadsOf(here, chair, preview),
    }),
    [here, chair, preview, exportShown],
  );
  const base = `/r/${encodeURIComponent(id)}`;
  if (view.problem && [404, 422].includes(view.problem.status)) return <MissingPage />;
  if (!run)
    return (
      <Shell title="Papers" who={<AccountMenu />} wide>
        <Waiting problem={view.problem} again={view.again} what="Loading the run…" />
      </Shell>
    );
  return (
    <KeepQuery base={base} parameters={as ? { as } : {}}>
      <RunPages
        run={run}
        base={base}
        path={path}
        overview={<LazyOverview />}
        actions={actions}
        crumbs={crumbs}
        who={<AccountMenu />}
        banner={as && <PreviewBanner name={run.view.viewer.name} onEnd={() => go(base)} />}
      />
    </KeepQuery>
  );
}

function downloadsOf(
  here: string,
  chair: boolean,
  preview: string,
): { text: string; href: string }[] {
  const report = { text: "Offline report (HTML)", href: `/api/${here}/report.html${preview}` };
  if (!chair || preview) return [report];
  return [
    { text: "scores.csv", href: `/api/${here}/files/scores.csv` },
    { text: "papers.csv", href: `/api/${here}/files/papers.csv` },
    { text: "run.json", href: `/api/${here}/files/run.json` },
    report,
  ];
}
