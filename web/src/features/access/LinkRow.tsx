// One link: until when it opens something, when it last did, and ending it.
import { useState } from "react";

import { post } from "../../api/client";
import { Confirm } from "../../components/Confirm";
import { Time } from "../../components/Time";
import { ExpiryDialog } from "./ExpiryDialog";
import { STATE_NAMES, type Link, type State } from "./links";

export function LinkRow({
  link,
  state,
  whose,
  changed,
}: {
  link: Link;
  state: State;
  whose: string;
  changed(): void;
}) {
  const [asking, setAsking] = useState<"revoke" | "end" | null>(null);
  const close = () => setAsking(null);
  return (
    <li className="row link-line">
      <span className={state === "open" ? "badge good" : "badge"}>{STATE_NAMES[state]}</span>
      {link.label && <span>{link.label}</span>}
      <span className="soft">
        {link.revoked ? (
          <>
            revoked <Time at={link.revoked} day />
          </>
        ) : link.expires ? (
          <>
            {state === "ended" ? "ended" : "ends"} <Time at={link.expires} day />
          </>
        ) : (
          "never ends"
        )}
        {" · "}
        {link.opened ? (
          <>
            opened <Time at={link.opened} />
          </>
        ) : (
          "not opened yet"
        )}
      </span>
      {!link.revoked && (
        <>
          <button
            type="button"
            className="button quiet"
            onClick={() => setAsking("end")}
            aria-label={`Change end of a link of ${whose}`}
          >
            Change end
          </button>
          <button
            type="button"
            className="button quiet danger"
            onClick={() => setAsking("revoke")}
            aria-label={`Revoke a link of ${whose}`}
          >
            Revoke
          </button>
        </>
      )}
      {asking === "end" && <ExpiryDialog link={link} onClose={close} onDone={changed} />}
      {asking === "revoke" && (
        <Confirm
          title={`Revoke this link of ${whose}?`}
          action="Revoke the link"
          onClose={close}
          onConfirm={async () => {
            await post(`links/${link.id}/revoke`);
            changed();
          }}
        >
          It stops working at once, also where it is open now. You can make a new one at any time.
        </Confirm>
      )}
    </li>
  );
}
