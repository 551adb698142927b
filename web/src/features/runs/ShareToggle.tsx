// Whether area chairs may open a run.
import { patch } from "../../api/client";
import { Toggle } from "../../components/Toggle";
import { useTask } from "../../app/useTask";

export function ShareToggle({
  id,
  name,
  shared,
  changed,
}: {
  id: string;
  name: string;
  shared: boolean;
  changed(): void;
}) {
  const sharing = useTask();
  return (
    <>
      <Toggle
        label={`Share ${name} with area chairs`}
        checked={shared}
        onChange={async (next) => {
          const taken = await sharing.run(() => patch(`runs/${id}`, { shared: next }));
          changed();
          return taken;
        }}
      />
      {sharing.problem && (
        <span role="alert" className="bad-text">
          {sharing.problem}
        </span>
      )}
    </>
  );
}
