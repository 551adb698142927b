// Who is signed in, and the way out.
import { post } from "../api/client";
import { useRoute } from "./route";
import { useMe } from "./session";
import { useTask } from "./useTask";

export function AccountMenu() {
  const me = useMe();
  const { go } = useRoute();
  const leaving = useTask();
  return (
    <>
      <span className="soft">{me.role === "chair" ? "Chair" : (me.name ?? "Area chair")}</span>
      <button
        type="button"
        className="button quiet"
        disabled={leaving.busy}
        onClick={async () => {
          if (await leaving.run(() => post("leave"))) go("/enter?left=1");
        }}
      >
        Leave
      </button>
      {leaving.problem && (
        <span role="alert" className="down">
          {leaving.problem}
        </span>
      )}
    </>
  );
}
