/** An artifact: something that a user, an agent or the system produced, with its place and whether it is kept. */
import { Schema } from "effect"
import {
  example,
  FocusSessionId,
  described,
  CallerId,
  WorkspaceId,
  Json,
  JsonInput,
  optionalOrNull
} from "../../doors/Fields.ts"
import { pageQuery, rangeLimitQuery } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { updateDetails, recordType } from "../records/RecordType.ts"

const Title = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))
const Kind = Schema.Literal("view", "cell", "document", "entity", "url", "automation", "playbook")
const OriginKind = Schema.Literal("user", "agent", "deeplink", "system")
const State = Schema.Literal("working", "kept", "swept")
const Placement = Schema.Literal("desk", "home", "sidebar", "library")
/** What the artifact refers to: an id or, for the kind `url`, an address. */
const RefId = Schema.NullOr(Schema.String.pipe(Schema.maxLength(4000)))
const CellKey = Schema.NullOr(Schema.String.pipe(Schema.maxLength(500)))

export const Artifact = recordType("artifact", {
  identifier: "Artifact",
  subject: "artifact",
  table: "artifacts",
  order: "created",
  fields: {
    kind: Kind,
    refId: described("What the artifact refers to: an id or an address.", RefId),
    cellKey: described("Place of the artifact on the canvas.", CellKey),
    props: described("Data with which clients show the artifact.", Json),
    title: Title,
    originKind: described("Who produced the artifact.", OriginKind),
    sessionId: Schema.NullOr(FocusSessionId),
    state: described("State of the artifact.", State),
    placement: described("Where clients show the artifact.", Placement)
  },
  stamps: {
    actorId: "maker",
    keptAt: { field: "state", becomes: "kept" },
    sweptAt: { field: "state", becomes: "swept" }
  }
})
export type Artifact = typeof Artifact.schema.Type

const { reasoning } = updateDetails
/** The agent that a request body may name: only the calling agent itself. */
const agentUserId = described("Id of the calling agent; any other id is refused.", optionalOrNull(Id))

export const ArtifactDraft = example(
  Schema.Struct({
    workspaceId: described("Workspace; null means the personal space.", Schema.NullOr(Id)),
    userId: CallerId,
    kind: Kind,
    title: Title,
    refId: described(
      "What the artifact refers to: an id or an address.",
      Schema.optionalWith(RefId, { default: () => null })
    ),
    cellKey: described("Place of the artifact on the canvas.", Schema.optionalWith(CellKey, { default: () => null })),
    props: described(
      "Data with which clients show the artifact.",
      Schema.optionalWith(JsonInput, { default: () => null })
    ),
    originKind: described(
      "Who produced the artifact.",
      Schema.optionalWith(OriginKind, { default: () => "agent" as const })
    ),
    actorId: described(
      "Id of the caller, or a text that is no id. In both cases the caller is stored as creator.",
      optionalOrNull(Schema.String)
    ),
    sessionId: Schema.optionalWith(Schema.NullOr(FocusSessionId), { default: () => null }),
    placement: described(
      "Where clients show the artifact.",
      Schema.optionalWith(Placement, { default: () => "desk" as const })
    ),
    agentUserId,
    reasoning
  }).annotations({ identifier: "ArtifactDraft" }),
  {
    workspaceId: null,
    userId: "",
    kind: "url",
    title: "The tide table",
    refId: "https://example.com/tides",
    originKind: "user"
  }
)

export const ArtifactChange = example(
  Schema.Struct({
    state: described("State of the artifact.", Schema.optional(State)),
    placement: described("Where clients show the artifact.", Schema.optional(Placement)),
    agentUserId,
    reasoning
  }).annotations({ identifier: "ArtifactChange" }),
  { state: "kept", placement: "library" }
)

export const ArtifactQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  state: described(
    "State of the artifact.",
    Schema.optionalWith(Schema.Literal(...State.literals, "all"), { default: () => "all" as const })
  ),
  placement: described(
    "Where clients show the artifact.",
    Schema.optionalWith(Schema.Literal(...Placement.literals, "all"), { default: () => "all" as const })
  ),
  sessionId: Schema.optional(FocusSessionId),
  ...pageQuery(50, 100),
  limit: rangeLimitQuery(50, 100)
})
