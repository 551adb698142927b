// Access: area chairs and their links, what they see, links for chairs, and the log.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, bodyOf } from "../../api/client";
import type { Conference, LinkRequest } from "../../api/types";
import { accessQuery, useChange } from "../../app/queries";
import { ErrorNotice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import "./access.css";
import { AccessLog } from "./AccessLog";
import { AreaChairs } from "./AreaChairs";
import { Assignments } from "./Assignments";
import { ChairLinks } from "./ChairLinks";
import { LinkExpiry } from "./LinkExpiry";
import { daysIn } from "./links";
import { MadeLinks } from "./MadeLinks";
import { VisibilitySettings } from "./VisibilitySettings";

/** For one area chair, for a chair (null), or for every area chair. */
type Recipients = { areaChair: string | null; label: string } | "all";

export function AccessPage({ conference }: { conference: Conference }) {
  const access = useQuery(accessQuery(conference.id));
  const [daysText, setDaysText] = useState("30");
  const days = daysIn(daysText);
  const making = useChange(async (recipients: Recipients) => {
    const params = { path: { conference: conference.id } };
    if (recipients === "all")
      return bodyOf(
        api.POST("/api/conferences/{conference}/links/all", {
          params,
          body: { days: days ?? null },
        }),
      );
    const link = await bodyOf(
      api.POST("/api/conferences/{conference}/links", {
        params,
        body: {
          area_chair: recipients.areaChair,
          days: days ?? null,
          label: recipients.label,
        } satisfies LinkRequest,
      }),
    );
    return [link];
  });
  const busy = making.isPending || days === undefined;
  return (
    <div className="stack">
      <section className="card stack" aria-labelledby="area-chairs">
        <div className="row spread end">
          <h2 id="area-chairs">Area chairs</h2>
          <LinkExpiry
            days={daysText}
            onDays={setDaysText}
            busy={busy || !access.data?.area_chairs.length}
            onAll={() => making.mutate("all")}
          />
        </div>
        <ErrorNotice error={making.error} />
        <Waiting query={access} />
        {access.data && (
          <AreaChairs
            people={access.data.area_chairs}
            runs={conference.runs}
            busy={busy}
            onMake={(areaChair) => making.mutate({ areaChair, label: "" })}
          />
        )}
        <Assignments conference={conference} />
      </section>
      <VisibilitySettings conference={conference} />
      {access.data && (
        <ChairLinks
          links={access.data.chair_links}
          busy={busy}
          onMake={(label) => making.mutate({ areaChair: null, label })}
        />
      )}
      <AccessLog conference={conference.id} />
      {making.data && <MadeLinks links={making.data} onClose={making.reset} />}
    </div>
  );
}
