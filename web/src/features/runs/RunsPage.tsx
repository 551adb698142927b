// Every run of a conference; for an area chair those that are shared.
import { useMe } from "../../app/session";
import type { ConferencePageProps } from "../conferences/ConferenceFrame";
import { ChairRuns } from "./ChairRuns";
import "./runs.css";
import { SharedRuns } from "./SharedRuns";

export function RunsPage(props: ConferencePageProps) {
  return useMe().role === "chair" ? <ChairRuns {...props} /> : <SharedRuns {...props} />;
}
