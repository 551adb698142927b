// The server's models under the names that the front end uses.
import type { components, operations } from "./schema";

type Models = components["schemas"];

export type Access = Models["Access"];
export type AccessLink = Models["Link"];
export type AreaChair = Models["AreaChairDetail"];
export type AssignmentResult = Models["AssignmentResult"];

export type BallotContent = Required<Models["BallotContent"]>;
export type BallotContradiction = Models["BallotContradiction"];
export type BallotDetail = Models["BallotDetail"];
export type BallotLine = Models["BallotLine"];
export type BallotLinksRequest = Models["BallotLinks"];
export type BallotPaper = Models["BallotPaper"];
export type ChangeBatch = Models["ChangeBatch"];
export type Check = Models["Check"];
export type CheckRequest = Models["NewCheck"];
export type Collection = Models["Collection"];
export type CollectionChange = Models["CollectionChange"];
export type CollectionOptions = Required<Models["CollectionOptions"]>;
export type CollectionPreview = Models["CollectionPreview"];
export type CollectionSource = Models["CollectionSource"];
export type Conference = Models["ConferenceDetail"];
export type ConferenceChange = Models["ConferenceChange"];
export type ConferenceSummary = Models["ConferenceSummary"];
export type Contradictions = Models["Contradictions"];
export type DeletedConference = Models["DeletedConference"];
/** Of the line. */
export type LineSide = "above" | "near" | "below";
export type FileInfo = Models["FileInfo"];
export type InfluenceAudit = Models["InfluenceSummary"];
export type JobProgress = Models["JobProgress"];
export type JobStatus = JobProgress["status"];
export type LinkRequest = Models["NewLink"];
export type LogEntry = Models["LogEntry"];
export type Me = Models["Me"];
export type PaperChange = Models["PaperChange"];
export type PaperMarks = Models["PaperMarks"];
export type Recommendation = Models["SavedRecommendation"];
export type SavedView = Models["SavedView"];
export type SendRequest = Models["SendResults"];
export type SystemAccess = Models["SystemAccess"];
export type NewCollectionRequest = Models["NewCollection"];
export type NewLink = Models["CreatedLink"];
export type PrivacyAudit = Models["PrivacySummary"];
export type RankingExport = NonNullable<operations["export_collection"]["parameters"]["query"]>;
export type RunInfo = Models["RunDetail"];
export type RunSummary = Models["RunSummary"];
export type SentBallot = Models["Ballot"];
export type SystemExport = operations["export_for_system"]["parameters"]["path"]["target"];
export type SystemExportQuery = NonNullable<operations["export_for_system"]["parameters"]["query"]>;
export type ExportPart = NonNullable<SystemExportQuery["include"]>[number];
export type UseBallots = Models["UseBallots"];
export type View = Models["View"];
