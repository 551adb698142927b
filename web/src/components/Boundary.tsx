// In place of a page that cannot be shown, because its code did not arrive or it broke: a sentence, never nothing.
import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { Button } from "./buttons";
import { Loading, Notice } from "./Notice";

interface BoundaryProps {
  onRetry?: () => void; // else the browser loads the page again
  children: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { onRetry = () => window.location.reload(), children } = this.props;
    if (!this.state.failed) return children;
    return (
      <Notice tone="bad">
        <div className="row spread">
          <span>This page could not be loaded.</span>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      </Notice>
    );
  }
}

/** A page whose code is loaded where it is opened. */
export function LazyPage<Props extends object>({
  load,
  props,
}: {
  load(): Promise<ComponentType<Props>>;
  props: Props;
}) {
  const fetched = () => lazy(async () => ({ default: await load() }));
  const [{ Page, attempt }, setPage] = useState(() => ({ Page: fetched(), attempt: 0 }));
  // Some browsers remember that it failed: from the second time on, the whole page is loaded again.
  const retry = attempt ? {} : { onRetry: () => setPage({ Page: fetched(), attempt: 1 }) };
  return (
    <Boundary key={attempt} {...retry}>
      <Suspense fallback={<Loading />}>
        <Page {...props} />
      </Suspense>
    </Boundary>
  );
}
