// The frame of every page: header with breadcrumbs, tabs, account and theme; title.
import { useEffect, type ReactNode } from "react";

import { Link } from "./route";
import { ThemeSwitch } from "../components/choices";
import "./shell.css";

export interface Tab {
  to: string;
  text: string;
  current: boolean;
}

export function Shell({
  title,
  about,
  crumbs = [],
  beside,
  tabs = [],
  account,
  banner,
  layout = "page",
  children,
}: {
  title: string;
  about?: string; // for the window's title
  crumbs?: { to: string; text: string }[];
  beside?: ReactNode; // after the crumbs: what can be done to the last one
  tabs?: Tab[];
  account?: ReactNode; // the menu of who is signed in, with the theme
  banner?: ReactNode;
  /** As wide as the window; with its title for screen readers only; as tall as the window, too, its content
   * scrolling inside. */
  layout?: "page" | "wide" | "wide untitled" | "wide untitled fill";
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = [title, about, "unround"].filter(Boolean).join(" · ");
  }, [title, about]);
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => skipTo(event, "#main")}>
        Skip to content
      </a>
      {layout.endsWith("fill") && (
        <a className="skip" href="#main" onClick={(event) => skipTo(event, FIRST_ROW)}>
          Skip to the table
        </a>
      )}
      <header className="shell-header no-print">
        <nav aria-label="Where you are" className="row">
          <Link to="/" className="wordmark">
            unround
          </Link>
          {crumbs.map(({ to, text }) => (
            <Link key={to} to={to} className="crumb">
              {text}
            </Link>
          ))}
          {beside}
        </nav>
        {tabs.length > 0 && (
          <nav aria-label="Pages" className="tabs">
            {tabs.map(({ to, text, current }) => (
              <Link key={to} to={to} aria-current={current ? "page" : undefined}>
                {text}
              </Link>
            ))}
          </nav>
        )}
        {account ?? <ThemeSwitch />}
      </header>
      {banner}
      <main id="main" tabIndex={-1} className={`shell-main ${layout}`}>
        <h1 dir="auto" className={layout.includes("untitled") ? "visually-hidden" : "shell-title"}>
          {title}
        </h1>
        {children}
      </main>
    </>
  );
}

/** The one row of the table that Tab reaches. */
const FIRST_ROW = "#main tr [tabindex='0']";

/** The offline report keeps its addresses after "#": the jump must not change the address. */
function skipTo(event: { preventDefault(): void }, target: string) {
  event.preventDefault();
  document.querySelector<HTMLElement>(target)?.focus();
}
