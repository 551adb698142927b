// The banner over every page of a preview, so that no chair takes it for the whole run.
import "./preview.css";

export function PreviewBanner({
  name,
  shared,
  onEnd,
}: {
  name: string | null;
  shared: boolean;
  onEnd(): void;
}) {
  const who = <strong>{name ?? "this area chair"}</strong>;
  return (
    <div className="preview-banner no-print" role="region" aria-label="Preview">
      {shared ? (
        <span>You see what {who} sees</span>
      ) : (
        <span>
          {who} sees nothing of this run, because it is not shared. This is what they would see.
        </span>
      )}
      <button type="button" className="button" onClick={onEnd}>
        End preview
      </button>
    </div>
  );
}
