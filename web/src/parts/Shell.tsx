// What stands around every page: name, where one is, the pages beside it, the theme.
import { useEffect, type ReactNode } from "react";

import { Link } from "../state/route";
import "./shell.css";
import { ThemeSwitch } from "./Theme";

export interface Tab {
  to: string;
  text: string;
  current: boolean;
}

export function Shell({
  title,
  crumbs = [],
  tabs = [],
  who,
  banner,
  wide = false,
  children,
}: {
  title: string;
  crumbs?: { to: string; text: string }[];
  tabs?: Tab[];
  who?: ReactNode; // who is signed in, and the way out
  banner?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · unround`;
  }, [title]);
  return (
    <>
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
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
        </nav>
        <div className="row">
          {who}
          <ThemeSwitch />
        </div>
      </header>
      {banner}
      <main id="main" tabIndex={-1} className={wide ? "shell-main wide" : "shell-main"}>
        <div className="row spread shell-title">
          <h1>{title}</h1>
          {tabs.length > 0 && (
            <nav aria-label="Pages" className="tabs no-print">
              {tabs.map(({ to, text, current }) => (
                <Link key={to} to={to} aria-current={current ? "page" : undefined}>
                  {text}
                </Link>
              ))}
            </nav>
          )}
        </div>
        {children}
      </main>
    </>
  );
}

/** Behind "#" the offline report keeps its addresses: the jump must not change them. */
function skipToMain(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
