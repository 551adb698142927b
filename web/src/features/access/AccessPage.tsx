// Who may see what: area chairs, their links, what is shared, and who did what.
import { useState } from "react";

import { post, type Schemas } from "../../api/client";
import { Notice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import { useAnswer } from "../../app/useAnswer";
import { useTask } from "../../app/useTask";
import type { ConferencePageProps } from "../conferences/ConferenceFrame";
import "./access.css";
import { AreaChairs } from "./AreaChairs";
import { Assignments } from "./Assignments";
import { ChairLinks } from "./ChairLinks";
import { daysIn, type MadeLink } from "./links";
import { LinkExpiry } from "./LinkExpiry";
import { AccessLog } from "./AccessLog";
import { MadeLinks } from "./MadeLinks";
import { VisibilitySettings } from "./VisibilitySettings";

export function AccessPage({ conference, again }: ConferencePageProps) {
  const access = useAnswer<Schemas["Access"]>(`conferences/${conference.id}/access`);
  const log = useAnswer<Schemas["LogEntry"][]>(`conferences/${conference.id}/log`);
  const [days, setDays] = useState("30");
  const [made, setMade] = useState<MadeLink[] | null>(null);
  const making = useTask();
  const life = daysIn(days);
  const refresh = () => {
    access.again();
    log.again();
  };
  const make = (action: () => Promise<MadeLink[]>) =>
    making.run(async () => {
      setMade(await action());
      refresh();
    });
  const links = `conferences/${conference.id}/links`;
  const makeOne = (areaChair: string | null, label = "") =>
    make(async () => [
      await post<MadeLink>(links, { area_chair: areaChair, days: life ?? null, label }),
    ]);
  const makeAll = () => make(() => post<MadeLink[]>(`${links}/all`, { days: life ?? null }));
  const busy = making.busy || life === undefined;
  return (
    <div className="stack">
      <section className="card stack" aria-labelledby="area-chairs">
        <div className="row spread end">
          <h2 id="area-chairs">Area chairs</h2>
          <LinkExpiry
            days={days}
            onDays={setDays}
            busy={busy || !access.data?.area_chairs.length}
            onAll={makeAll}
          />
        </div>
        {making.problem && <Notice tone="bad">{making.problem}</Notice>}
        {access.data ? (
          <AreaChairs
            people={access.data.area_chairs}
            runs={conference.runs}
            busy={busy}
            onMake={makeOne}
            changed={refresh}
          />
        ) : (
          <Waiting problem={access.problem} again={access.again} />
        )}
        <Assignments conference={conference} changed={refresh} />
      </section>
      <VisibilitySettings
        conference={conference}
        changed={() => {
          again();
          log.again();
        }}
      />
      {access.data && (
        <ChairLinks
          links={access.data.chair_links}
          busy={busy}
          onMake={(label) => makeOne(null, label)}
          changed={refresh}
        />
      )}
      <AccessLog answer={log} />
      {made && <MadeLinks links={made} onClose={() => setMade(null)} />}
    </div>
  );
}
