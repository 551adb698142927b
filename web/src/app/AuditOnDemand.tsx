// An audit that takes long: a button starts it, and its result appears when it is done.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Button } from "../components/buttons";
import { Loading, QueryStatus } from "../components/Notice";

const POLL_INTERVAL = 1000; // ms, while it is being computed

export function AuditOnDemand<Audit>({
  button,
  doing,
  queryKey,
  load,
  children,
}: {
  button: string;
  doing: string; // shown while it is being computed
  queryKey: readonly unknown[];
  load(): Promise<{ audit: Audit | null }>; // null: not computed yet
  children(audit: Audit): ReactNode;
}) {
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: load,
    enabled: asked,
    refetchInterval: ({ state }) => (state.data?.audit === null ? POLL_INTERVAL : false),
    staleTime: Infinity,
    retry: false,
  });
  const audit = query.data?.audit;
  if (!asked)
    return (
      <div className="row">
        <Button onClick={() => setAsked(true)}>{button}</Button>
      </div>
    );
  return (
    <>
      <QueryStatus query={query} what={doing} />
      {audit === null && !query.error && <Loading what={doing} />}
      {audit && children(audit)}
    </>
  );
}
