// Where files come in: dropped, or chosen by a button that the keyboard reaches.
import { useId, useState } from "react";

import { upload } from "../../api/files";
import { wordsOf } from "../../api/client";
import { Notice } from "../../components/Notice";
import { sizeInWords } from "../../domain/size";

export function DropZone({ conference, done }: { conference: string; done(): void }) {
  const field = useId();
  const [over, setOver] = useState(false);
  const [share, setShare] = useState<number | null>(null); // of the bytes; null: nothing under way
  const [words, setWords] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  const send = async (files: File[]) => {
    if (!files.length || share !== null) return;
    const total = sizeInWords(files.reduce((sum, file) => sum + file.size, 0));
    const what = files.length === 1 ? files[0]?.name : `${files.length} files`;
    setProblem(null);
    setWords(`Uploading ${what}, ${total}`);
    setShare(0);
    try {
      await upload(`conferences/${conference}/files`, files, setShare);
      setWords(`Uploaded ${what}, ${total}`);
      done();
    } catch (error) {
      setWords("");
      setProblem(wordsOf(error));
    }
    setShare(null);
  };
  return (
    <div className="stack tight">
      <div
        className={over ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void send([...event.dataTransfer.files]);
        }}
      >
        <p>
          <strong>Drop files here</strong>
        </p>
        <label className="button file-button" htmlFor={field}>
          Add files
        </label>
        <input
          id={field}
          className="visually-hidden"
          type="file"
          multiple
          disabled={share !== null}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = ""; // the same file may be chosen again
            void send(files);
          }}
        />
        <p className="hint">
          Reviews and rankings as HotCRP, OpenReview or CMT export them, PeerRead, or plain tables:
          CSV, XLSX, JSON, ZIP.
        </p>
      </div>
      <div role="status" className="soft">
        {words}
      </div>
      {share !== null && <progress aria-label="Upload" value={share} max={1} />}
      {problem && <Notice tone="bad">{problem}</Notice>}
    </div>
  );
}
