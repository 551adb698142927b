// Buttons, and the menu that one opens.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent as KeyPress,
  type ReactNode,
} from "react";

import "./components.css";

export type Look = "" | "primary" | "quiet" | "danger" | "quiet danger";

export function Button({ look = "", ...rest }: { look?: Look } & ComponentProps<"button">) {
  return <button type="button" className={`button ${look}`} {...rest} />;
}

/** A button that copies a text to the clipboard and reports the outcome. */
export function CopyButton({
  text,
  name = "Copy",
  look = "primary",
  onCopied,
}: {
  text: string;
  name?: string;
  look?: Look;
  onCopied?(): void;
}) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
      onCopied?.();
    } catch {
      // Browsers allow this only over HTTPS or on the local computer.
      setOutcome("The browser does not allow copying: select the text and copy it.");
    }
  };
  return (
    <>
      <Button look={look} onClick={copy}>
        {name}
      </Button>
      <span role="status" className="soft">
        {outcome}
      </span>
    </>
  );
}

/** Closes the menu that something is in. */
export const CloseMenu = createContext<() => void>(() => {});

/** A button inside a menu. The menu closes after it, unless it `stays`. */
export function MenuItem({
  stays = false,
  onClick,
  ...rest
}: { stays?: boolean } & ComponentProps<"button">) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      className="menu-item"
      onClick={(event) => {
        onClick?.(event);
        if (!stays) close();
      }}
      {...rest}
    />
  );
}

/** A link inside a menu that downloads a file. */
export function MenuDownload({ href, children }: { href: string; children: ReactNode }) {
  const close = useContext(CloseMenu);
  return (
    <a className="menu-item" href={href} download onClick={close}>
      {children}
    </a>
  );
}

/** The state of a panel that a button opens. Escape, a click elsewhere or the focus elsewhere closes it;
 * what `close` closes gives the focus back to the button. */
function usePanel() {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open, close]);
  return { open, setOpen, close, frame, panel, button, id: useId() };
}

/** A button that opens a small panel below it, of anything. The focus moves into the panel. */
export function Menu({
  text,
  label = text,
  left = false,
  children,
}: {
  text: string;
  label?: string; // where several menus of a page have the same text
  left?: boolean; // the panel begins where the button does, instead of ending there
  children: ReactNode;
}) {
  const { open, setOpen, close, frame, panel, button, id } = usePanel();
  useEffect(() => {
    if (open) panel.current?.focus({ preventScroll: true });
  }, [open, panel]);
  return (
    <div className={left ? "menu left" : "menu"} ref={frame}>
      <button
        ref={button}
        type="button"
        className="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={label === text ? undefined : label}
        onClick={() => setOpen(!open)}
      >
        {text}
        <span aria-hidden="true" className="menu-arrow" />
      </button>
      {open && (
        // A click on a label inside gives the focus to the panel, not to the page, which would close it.
        <div
          ref={panel}
          id={id}
          className="menu-panel raised"
          role="group"
          aria-label={label}
          tabIndex={-1}
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </div>
      )}
    </div>
  );
}

/** A button that shows what is chosen and opens a menu to choose something else. Only Enter, Space and clicks
 * open it, and only they choose: arrow keys and letters move inside the open menu and do nothing outside. */
export function ChoiceMenu<T extends string>({
  label,
  text,
  options,
  value,
  onChoose,
  look = "",
  ...reach
}: {
  label: string;
  text: string; // on the button
  options: readonly (readonly [T, string])[]; // values with their texts
  value: T;
  onChoose(value: T): void;
  look?: string; // further classes of the button
} & Pick<ComponentProps<"button">, "tabIndex" | "onFocus" | "title">) {
  const { open, setOpen, close, frame, panel, button, id } = usePanel();
  useLayoutEffect(() => {
    const [opener, menu] = [button.current, panel.current];
    if (!open || !opener || !menu) return;
    // Keys may have scrolled it away.
    (opener.closest("tr") ?? opener).scrollIntoView({ block: "nearest", inline: "nearest" });
    putBeside(opener, menu);
    const items = itemsIn(menu);
    const chosen = items.find((item) => item.getAttribute("aria-checked") === "true");
    (chosen ?? items[0])?.focus({ preventScroll: true });
    const scrolled = () => (isInView(opener) ? putBeside(opener, menu) : close());
    document.addEventListener("scroll", scrolled, true);
    return () => document.removeEventListener("scroll", scrolled, true);
  }, [open, close, button, panel]);
  const move = (event: KeyPress<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab") return close(); // and the browser goes on from the button
    const items = itemsIn(event.currentTarget);
    const next = nextItem(items, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className="choice-menu" ref={frame}>
      <button
        ref={button}
        type="button"
        className={`choice ${look}`}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={`${label}: ${text}`}
        onClick={() => setOpen(!open)}
        {...reach}
      >
        <span className="choice-text">{text}</span>
        <span aria-hidden="true" className="menu-arrow" />
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          className="menu-panel raised choices"
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={move}
        >
          {options.map(([option, name]) => (
            <button
              key={option}
              type="button"
              role="menuitemradio"
              aria-checked={option === value}
              tabIndex={-1}
              className="menu-item"
              onClick={() => {
                close();
                if (option !== value) onChoose(option);
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const itemsIn = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('[role="menuitemradio"]'),
];

/** The item that a key leads to: arrows, Home and End, or the first letter of its text. */
function nextItem(items: HTMLElement[], key: string): HTMLElement | undefined {
  const at = items.findIndex((item) => item === document.activeElement);
  if (key === "ArrowDown") return items[(at + 1) % items.length];
  if (key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if (key.length !== 1 || key === " ") return undefined;
  const starts = (item: HTMLElement) =>
    item.textContent.toLowerCase().startsWith(key.toLowerCase());
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(starts);
}

function isInView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

const GAP = 4; // px

/** Put an open menu below its button, or above where there is more room, over everything that scrolls. */
function putBeside(button: HTMLElement, menu: HTMLElement) {
  const { top, bottom, left } = button.getBoundingClientRect();
  const below = window.innerHeight - bottom;
  const above = below < menu.offsetHeight + GAP && top > below;
  const edge = window.innerWidth - menu.offsetWidth - GAP;
  menu.style.top = `${above ? top - menu.offsetHeight - GAP : bottom + GAP}px`;
  menu.style.left = `${Math.max(GAP, Math.min(left, edge))}px`;
}
