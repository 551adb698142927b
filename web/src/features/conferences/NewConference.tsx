// A new conference; its import page comes next.
import { useState } from "react";

import { post, type Schemas } from "../../api/client";
import { Notice } from "../../components/Notice";
import { TextField } from "../../components/TextField";
import { useRoute } from "../../app/route";
import { useTask } from "../../app/useTask";

export function NewConference() {
  const [name, setName] = useState("");
  const { go } = useRoute();
  const making = useTask();
  const make = async () => {
    const made = await post<Schemas["Conference"]>("conferences", { name: name.trim() });
    go(`/c/${made.id}`);
  };
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void making.run(make);
      }}
    >
      <div className="row end">
        <TextField
          label="Name of the conference"
          look="name"
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <button type="submit" className="button primary" disabled={making.busy}>
          New conference
        </button>
      </div>
      {making.problem && <Notice tone="bad">{making.problem}</Notice>}
    </form>
  );
}
