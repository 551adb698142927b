// An audit that takes long and is measured when a chair asks for it.
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { Button } from "../components/buttons";
import { Loading, Waiting } from "../components/Waiting";

const ASK_EVERY = 1000; // ms, while it is being measured

export function Measured<Audit>({
  button,
  doing,
  queryKey,
  load,
  children,
}: {
  button: string;
  doing: string; // while it is being measured
  queryKey: readonly unknown[];
  load(): Promise<{ audit: Audit | null }>; // null: not measured yet
  children(audit: Audit): ReactNode;
}) {
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: load,
    enabled: asked,
    refetchInterval: ({ state }) => (state.data?.audit === null ? ASK_EVERY : false),
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
      <Waiting query={query} what={doing} />
      {audit === null && !query.error && <Loading what={doing} />}
      {audit && children(audit)}
    </>
  );
}
