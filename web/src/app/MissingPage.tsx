// Shown for addresses that do not exist and for those that this viewer may not open, alike.
import { Shell } from "./Shell";
import { Link } from "./route";
import { AccountMenu } from "./AccountMenu";

export function MissingPage() {
  return (
    <Shell title="Nothing here" account={<AccountMenu />}>
      <div className="stack">
        <p>There is no page at this address, or your link does not open it.</p>
        <p>
          <Link to="/">Go to the start</Link>
        </p>
      </div>
    </Shell>
  );
}
