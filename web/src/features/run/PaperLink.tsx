// A link to a paper's page. It keeps the query, so that the table is the same on the way back.
import type { AnchorHTMLAttributes, ReactNode } from "react";

import { Link } from "../../app/route";
import { useRun } from "./context";

export function PaperLink({
  paper,
  children,
  ...rest
}: { paper: number; children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const { run, base, kept } = useRun();
  const id = encodeURIComponent(String(run.view.papers.paper[paper]));
  return (
    <Link {...rest} to={`${base}/paper/${id}${kept}`}>
      {children}
    </Link>
  );
}
