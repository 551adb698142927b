// The banner over every page of a preview, so that no chair takes it for the whole run.
import "./preview.css";

export function PreviewBanner({ name, onEnd }: { name: string | null; onEnd(): void }) {
  return (
    <div className="preview-banner no-print" role="region" aria-label="Preview">
      <span>
        You see what <strong>{name ?? "this area chair"}</strong> sees
      </span>
      <button type="button" className="button" onClick={onEnd}>
        End preview
      </button>
    </div>
  );
}
