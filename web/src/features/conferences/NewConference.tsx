// The form that makes a conference and opens its import page.
import { useState } from "react";

import { api, bodyOf } from "../../api/client";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/TextField";

export function NewConference() {
  const [name, setName] = useState("");
  const { go } = useRoute();
  const making = useChange(() =>
    bodyOf(api.POST("/api/conferences", { body: { name: name.trim() } })),
  );
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) making.mutate(undefined, { onSuccess: ({ id }) => go(`/c/${id}`) });
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
        <button type="submit" className="button primary" disabled={making.isPending}>
          New conference
        </button>
      </div>
      <ErrorNotice error={making.error} />
    </form>
  );
}
