// A conference on a running system: its address, and a token that is used once.
import { TextField } from "./fields";
import type { SystemAccess } from "../api/schema";

const EXAMPLES: Record<SystemAccess["system"], { address: string; token: string }> = {
  hotcrp: {
    address: "https://submit.example.org/conference",
    token: "Of a chair’s account: Account settings, Developer.",
  },
  pretalx: {
    address: "https://pretalx.example.org/event",
    token: "Of an organiser’s account: Settings, API access.",
  },
};

export function SystemFields({
  access,
  onChange,
}: {
  access: SystemAccess;
  onChange(access: SystemAccess): void;
}) {
  const example = EXAMPLES[access.system];
  return (
    <div className="fields">
      <TextField
        label="Address"
        required
        maxLength={500}
        inputMode="url"
        spellCheck={false}
        placeholder={example.address}
        hint="Of the conference, as in your browser."
        value={access.url}
        onChange={(url) => onChange({ ...access, url })}
      />
      <TextField
        label="Token"
        type="password"
        required
        maxLength={500}
        autoComplete="off"
        hint={`${example.token} It is used once and not stored.`}
        value={access.token}
        onChange={(token) => onChange({ ...access, token })}
      />
    </div>
  );
}

/** The same without blanks around what was typed. */
export const trimmed = (access: SystemAccess): SystemAccess => ({
  ...access,
  url: access.url.trim(),
  token: access.token.trim(),
});
