// Who is signed in, and the button to sign out.
import { useMutation } from "@tanstack/react-query";

import { api } from "../api/client";
import type { Me } from "../api/types";
import { ErrorLine } from "../components/Notice";
import { useRoute } from "./route";
import { isOwner, useMe } from "./session";

export function AccountMenu() {
  const me = useMe();
  const { go } = useRoute();
  const leaving = useMutation({
    mutationFn: () => api.POST("/api/leave"),
    onSuccess: () => go("/enter?left=1"),
  });
  return (
    <>
      <span className="soft">{nameOf(me)}</span>
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

function nameOf(me: Me): string {
  if (me.role === "area_chair") return me.name ?? "Area chair";
  if (me.role === "reviewer") return me.name ?? "Reviewer";
  const role = isOwner(me) ? "owner" : "chair";
  return me.name ? `${me.name} (${role})` : isOwner(me) ? "Owner" : "Chair";
}
