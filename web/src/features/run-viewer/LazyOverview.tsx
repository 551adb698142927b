// The overview, loaded when it is opened: the library that draws its figures is large.
import { lazy, Suspense, type ReactNode } from "react";

import { RequestError } from "../../api/errors";
import { Loading, Waiting } from "../../components/Waiting";

const Overview = lazy(() =>
  // eslint-disable-next-line no-restricted-syntax -- run-viewer may import run
  import("../run/overview/Overview").then(
    (page) => ({ default: page.Overview }),
    () => ({ default: NotLoaded }),
  ),
);

/** `children`: what only the console can say. */
export function LazyOverview({ children }: { children?: ReactNode }) {
  return (
    <Suspense fallback={<Loading />}>
      <Overview>{children}</Overview>
    </Suspense>
  );
}

/** React does not load a module twice, and a newer server has other files: reload the page. */
function NotLoaded() {
  const error = new RequestError(0, "The overview could not be loaded.");
  const refetch = () => window.location.reload();
  return <Waiting query={{ data: undefined, error, refetch }} />;
}
