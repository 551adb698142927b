// For an address that leads nowhere, or not for this viewer: the two look the same.
import { Shell } from "./Shell";
import { Link } from "./route";
import { AccountMenu } from "./AccountMenu";

export function MissingPage() {
  return (
    <Shell title="Nothing here" who={<AccountMenu />}>
      <div className="stack">
        <p>There is no page at this address, or your link does not open it.</p>
        <p>
          <Link to="/">Go to the start</Link>
        </p>
      </div>
    </Shell>
  );
}
