// Buttons, and the menu that one opens.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";

import "./components.css";

/** A button. `look` names further classes: primary, quiet, danger. */
export function Button({ look = "", ...rest }: { look?: string } & ComponentProps<"button">) {
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
  look?: string;
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

/** A button that opens a small panel below it. Escape or a click elsewhere closes it. */
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
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const [button, panel] = [useId(), useId()];
  const close = useCallback(() => {
    setOpen(false);
    document.getElementById(button)?.focus();
  }, [button]);
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
  return (
    <div className={left ? "menu left" : "menu"} ref={frame}>
      <button
        id={button}
        type="button"
        className="button"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        aria-label={label === text ? undefined : label}
        onClick={() => setOpen(!open)}
      >
        {text}
        <span aria-hidden="true" className="menu-arrow" />
      </button>
      {open && (
        // A click on a label inside gives the focus to the panel, not to the page, which would close it.
        <div id={panel} className="menu-panel" role="group" aria-label={label} tabIndex={-1}>
          <CloseMenu value={close}>{children}</CloseMenu>
        </div>
      )}
    </div>
  );
}
