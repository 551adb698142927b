// Who is signed in, and the button to sign out.
import { useMutation } from "@tanstack/react-query";

import { api } from "../api/client";
import { ErrorLine } from "../components/Notice";
import { useRoute } from "./route";
import { useMe } from "./session";

export function AccountMenu() {
  const me = useMe();
  const { go } = useRoute();
  const leaving = useMutation({
    mutationFn: () => api.POST("/api/leave"),
    onSuccess: () => go("/enter?left=1"),
  });
  return (
    <>
      <span className="soft">{me.role === "chair" ? "Chair" : (me.name ?? "Area chair")}</span>
      <button
        type="button"
        className="button quiet"
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        Leave
      </button>
      <ErrorLine error={leaving.error} />
    </>
  );
}
