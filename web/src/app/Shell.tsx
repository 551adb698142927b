// The frame of every page: header with breadcrumbs, account and theme; title; tabs.
import { useEffect, type ReactNode } from "react";

import { Link } from "./route";
import { Menu } from "../components/buttons";
import { ThemeSwitch } from "../components/Theme";
import { useMedia } from "../components/browser";
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
  wide = false,
  fill = false,
  children,
}: {
  title: string;
  about?: string; // for the window's title
  crumbs?: { to: string; text: string }[];
  beside?: ReactNode; // after the crumbs: what can be done to the last one
  tabs?: Tab[];
  account?: ReactNode; // who is signed in
  banner?: ReactNode;
  wide?: boolean;
  fill?: boolean; // as tall as the window, the content scrolling inside
  children: ReactNode;
}) {
  const small = useMedia("(max-width: 40rem)");
  useEffect(() => {
    document.title = [title, about, "unround"].filter(Boolean).join(" · ");
  }, [title, about]);
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
          {beside}
        </nav>
        <div className="row">
          {account}
          {small ? (
            <Menu text="Theme">
              <ThemeSwitch />
            </Menu>
          ) : (
            <ThemeSwitch />
          )}
        </div>
      </header>
      {banner}
      <main id="main" tabIndex={-1} className={mainClass(wide, fill)}>
        <div className="row spread shell-title">
          <h1 dir="auto">{title}</h1>
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

function mainClass(wide: boolean, fill: boolean): string {
  return ["shell-main", wide && "wide", fill && "fill"].filter(Boolean).join(" ");
}

/** The offline report keeps its addresses after "#": the jump must not change the address. */
function skipToMain(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
