// The pages of a run in the console: as the viewer may see it or, for chairs, as an area chair does.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { addressOf, api, bodyOf } from "../../api/client";
import { hasStatus } from "../../api/errors";
import type { ExportRequest } from "../../api/types";
import { AccountMenu } from "../../app/AccountMenu";
import { MissingPage } from "../../app/MissingPage";
import { runInfoQuery, runQuery } from "../../app/queries";
import { KeepQuery, useRoute } from "../../app/route";
import { useMe } from "../../app/session";
import { Shell } from "../../app/Shell";
import { saveFile } from "../../components/saveFile";
import { Waiting } from "../../components/Waiting";
import type { RunActions } from "../run/context";
import { RunPages } from "../run/RunPages";
import { LazyOverview } from "./LazyOverview";
import { PreviewBanner } from "./PreviewBanner";

export function RunPage({ id, path }: { id: string; path: string[] }) {
  const me = useMe();
  const { query, go } = useRoute();
  const chair = me.role === "chair";
  const as = chair ? query.get("as") : null;
  const view = useQuery(runQuery(id, as));
  const info = useQuery({ ...runInfoQuery(id), enabled: chair });
  const run = view.data;
  const conference = chair ? info.data?.conference : me.conference;
  const crumbs =
    conference && run
      ? [{ to: `/c/${conference}/runs`, text: run.view.conference || "Conference" }]
      : [];
  const actions = useMemo(() => actionsOf(id, chair, as), [id, chair, as]);
  const base = `/r/${encodeURIComponent(id)}`;
  if (hasStatus(view.error, 404, 422)) return <MissingPage />;
  if (!run)
    return (
      <Shell title="Papers" account={<AccountMenu />} wide>
        <Waiting query={view} what="Loading the run…" />
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
    </KeepQuery>
  );
}

/** The server exports for the signed-in viewer: in a preview the page writes what it shows. */
function actionsOf(run: string, chair: boolean, as: string | null): RunActions {
  const report = {
    text: "Offline report (HTML)",
    href: addressOf("/api/runs/{run}/report.html", { run }, as ? { as } : {}),
  };
  if (as) return { downloads: [report] };
  const files = chair ? (["scores.csv", "papers.csv", "run.json"] as const) : [];
  return {
    exportShown: (request, name) => exportShown(run, request, name),
    downloads: [
      ...files.map((name) => ({
        text: name,
        href: addressOf("/api/runs/{run}/files/{name}", { run, name }),
      })),
      report,
    ],
  };
}

async function exportShown(run: string, request: ExportRequest, name: string): Promise<void> {
  const file = await bodyOf(
    api.POST("/api/runs/{run}/export", {
      params: { path: { run } },
      body: request,
      parseAs: "blob",
    }),
  );
  saveFile(file, name);
}
