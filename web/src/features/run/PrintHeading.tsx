// On paper there is no bar above the page: the sheet itself says which run it shows.
import { scopeText } from "../../domain/scope";
import { useRun } from "./context";

export function PrintHeading() {
  return <p className="only-print soft">{scopeText(useRun().run)}</p>;
}
