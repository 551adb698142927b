// The switch that lets area chairs open a run.
import { api } from "../../api/client";
import type { RunSummary } from "../../api/types";
import { useChange } from "../../app/queries";
import { ErrorLine } from "../../components/Notice";
import { Toggle } from "../../components/Toggle";

export function ShareToggle({ run: { id, name, shared } }: { run: RunSummary }) {
  const sharing = useChange((next: boolean) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { shared: next } }),
  );
  return (
    <>
      <Toggle label={`Share ${name} with area chairs`} checked={shared} change={sharing} />
      <ErrorLine error={sharing.error} />
    </>
  );
}
