/**
 * An artifact: something that a user, an agent or the system produced. The record says where clients show the artifact,
 * and whether the pod keeps the artifact.
 */
import { Schema } from "effect"
import {
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
import { writable } from "../records/RecordFields.ts"
import { inputOf } from "../records/RecordInputs.ts"
import { createDetails, recordType } from "../records/RecordType.ts"

const State = Schema.Literal("working", "kept", "swept").annotations({
  identifier: "ArtifactState",
  description: "State that clients set. The pod stores when the state became `kept` or `swept`."
})
const Placement = Schema.Literal("desk", "home", "sidebar", "library").annotations({
  identifier: "ArtifactPlacement",
  description: "Where clients show the artifact."
})
export const Artifact = recordType("artifact", {
  identifier: "Artifact",
  subject: "artifact",
  table: "artifacts",
  order: "created",
  fields: {
    kind: writable(Schema.Literal("view", "cell", "document", "entity", "url", "automation", "playbook"), {
      change: false
    }),
    title: writable(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)), { change: false }),
    refId: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(4000))), {
      meaning: "What the artifact refers to: an id or an address.",
      default: null,
      change: false
    }),
    cellKey: writable(Schema.NullOr(Schema.String.pipe(Schema.maxLength(500))), {
      meaning: "Client's name for the place of the artifact.",
      default: null,
      change: false
    }),
    props: writable(Json, {
      meaning: "Data with which clients show the artifact.",
      input: JsonInput,
      default: null,
      change: false
    }),
    originKind: writable(Schema.Literal("user", "agent", "deeplink", "system"), {
      meaning: "What made the artifact, as the client says.",
      default: "agent",
      change: false
    }),
    sessionId: writable(Schema.NullOr(FocusSessionId), { default: null, change: false }),
    state: writable(State, { draft: false }),
    placement: writable(Placement, { default: "desk" })
  },
  stamps: {
    actorId: "maker",
    keptAt: { field: "state", becomes: "kept" },
    sweptAt: { field: "state", becomes: "swept" }
  }
})
export type Artifact = typeof Artifact.schema.Type

const agentUserId = described("Id of the calling agent; any other id is refused.", optionalOrNull(Id))
const { reasoning } = createDetails

export const ArtifactDraft = inputOf(
  "ArtifactDraft",
  {
    workspaceId: Schema.NullOr(WorkspaceId),
    userId: CallerId,
    ...Artifact.draft,
    actorId: described(
      "Id of the caller, or a text that is not an id. In both cases the pod stores the caller as creator.",
      optionalOrNull(Schema.String)
    ),
    agentUserId,
    reasoning
  },
  {
    workspaceId: null,
    userId: "",
    kind: "url",
    title: "The tide table",
    refId: "https://example.com/tides",
    originKind: "user"
  }
)

export const ArtifactChange = inputOf(
  "ArtifactChange",
  { ...Artifact.change, agentUserId, reasoning },
  { state: "kept", placement: "library" }
)

export const ArtifactQuery = Schema.Struct({
  workspaceId: Schema.optional(WorkspaceId),
  state: Schema.optionalWith(Schema.Literal(...State.literals, "all"), { default: () => "all" as const }),
  placement: described(
    "Where clients show the artifact.",
    Schema.optionalWith(Schema.Literal(...Placement.literals, "all"), { default: () => "all" as const })
  ),
  sessionId: Schema.optional(FocusSessionId),
  ...pageQuery("artifacts", 50, 100),
  limit: rangeLimitQuery(50, 100)
})
