// The overview, fetched when it is opened: what draws its figures is most of the front end.
import { lazy, Suspense } from "react";

import { RequestProblem } from "../../api/client";
import { Waiting } from "../../components/Waiting";

const Overview = lazy(() =>
  import("../run/overview/Overview").then(
    (page) => ({ default: page.Overview }),
    () => ({ default: NotFetched }),
  ),
);

export function LazyOverview() {
  return (
    <Suspense fallback={<Waiting problem={null} />}>
      <Overview />
    </Suspense>
  );
}

/** React keeps what it got, and a newer server has other files: only loading the page anew helps. */
function NotFetched() {
  const problem = new RequestProblem(0, "The overview could not be loaded.");
  return <Waiting problem={problem} again={() => window.location.reload()} />;
}
