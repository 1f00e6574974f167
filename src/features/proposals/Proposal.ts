/**
 * A proposal is a change that waits for the decision of a person. It stores the content of the change, the record
 * before the change, and the credential that requested the change.
 */
import { Data, Schema } from "effect"
import { example, WorkspaceId, FocusSessionId, AgentId, described, JsonObject, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { NewProposal } from "../../doors/Proposed.ts"

export const Status = Schema.Literal(
  "pending",
  "approved",
  "rejected",
  "auto_approved",
  "reverted",
  "approval_failed",
  "withdrawn",
  "expired"
)
export type Status = typeof Status.Type

export const ReasonCode = Schema.Literal("incorrect", "incomplete", "not_wanted", "duplicate", "unsafe", "other")

export const ProposalClass = Schema.Literal("ephemeral", "curatorial", "governance", "access", "objectWork")

/** One field that the change would alter. For a text field, this includes the changed words. */
export const Difference = Schema.Struct({
  path: described("Path of the field, such as `properties.due`.", Schema.Array(Schema.String)),
  kind: Schema.Literal("added", "removed", "changed"),
  before: described("Current value of the field.", Schema.optional(Schema.Unknown)),
  after: described("Proposed value of the field.", Schema.optional(Schema.Unknown)),
  words: described(
    "Only for a text field: the pieces of the text. Each piece is kept, removed or added.",
    Schema.optional(
      Schema.Array(
        Schema.Struct({
          kind: Schema.Literal("same", "removed", "added"),
          text: Schema.String
        })
      )
    )
  )
}).annotations({ identifier: "Difference" })

const basic = {
  id: Id,
  proposalType: described("Kind of the change: `<subject>.<action>`, or `join` to join a workspace.", Schema.String),
  targetType: described("Type of the record that the proposal changes.", Schema.String),
  targetId: described("Id of the record that the proposal changes or creates.", Id),
  status: Status,
  workspaceId: Schema.NullOr(WorkspaceId),
  createdAt: Timestamp,
  correlationId: described("Id that all proposals and events of one task share.", Id),
  sessionId: Schema.NullOr(FocusSessionId),
  agentUserId: Schema.NullOr(AgentId),
  materializedIds: described("Ids of the records that the approval created.", Schema.optional(Schema.Array(Id))),
  summary: Schema.String,
  confidence: described(
    "How sure the agent says it is, from 0 to 1: the field `confidence` of the content or of its properties. Null if the content has no such number.",
    Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1)))
  ),
  class: described("Class of the change, such as `access` for access rights.", ProposalClass),
  lifetimeHours: described(
    "Always null: `expiresAt` has the time when the proposal ends.",
    Schema.NullOr(Schema.Number)
  ),
  revision: described("Revision number of the proposal; each edit adds one.", Schema.Number),
  contentHash: described(
    "SHA-256 of target, kind, projects, content and base version. An approval sends this hash to prove which content the person saw.",
    Schema.String
  )
}

export const BasicProposal = Schema.Struct(basic).annotations({ identifier: "BasicProposal" })

const whole = {
  ...basic,
  data: described(
    "The change: `changeType`, `targetType`, `targetId`, `workspaceId`, `reasoning`, `summary`, `correlationId` (also `requestId`), `source`, `sourceId` (of the message), and the changed fields in `data`.",
    JsonObject
  ),
  reasoning: described("Reason for the change, for the person who decides.", Schema.NullOr(Schema.String)),
  statusReason: described("For the agent: why the proposal was rejected or not applied.", Schema.NullOr(Schema.String)),
  reasonCode: described("Code of the reason, for programs.", Schema.NullOr(Schema.String)),
  threadId: described("Id of the thread if the proposal is for messages, else null.", Schema.NullOr(Id)),
  sourceMessageId: described(
    "Id of the message that led to the proposal; null if the maker of the proposal named none.",
    Schema.NullOr(Schema.String)
  ),
  commandRunId: described("Always null. Exists for older clients.", Schema.NullOr(Id)),
  createdBy: described("Id of the creator: a person or an agent.", Id),
  keyId: described(
    "Id of the key that asked for the change; null for a sign-in session. The id is not secret.",
    Schema.NullOr(Id)
  ),
  decidedBy: described("Id of the person who decided; null before the decision.", Schema.NullOr(Id)),
  decidedAt: described("Time of the decision; null before the decision.", Schema.NullOr(Timestamp)),
  baseVersion: described(
    "Version of the record when the proposal was made; null for a create.",
    Schema.NullOr(Schema.Number)
  ),
  expiresAt: described("Time when the proposal expires if nobody decides.", Timestamp),
  updatedAt: Timestamp
}

export const Proposal = Schema.Struct(whole).annotations({ identifier: "Proposal" })
export type Proposal = typeof Proposal.Type

export const ProposalDetail = Schema.Struct({
  ...whole,
  differences: described(
    "What the proposal changes in the current record; after the decision, what it changed or would have changed.",
    Schema.Array(Difference)
  ),
  conflicts: described(
    "Fields that the proposal changes and that somebody else has changed since.",
    Schema.Array(
      Schema.Struct({
        path: described("Path of the field, such as `properties.due`.", Schema.Array(Schema.String)),
        base: described("Value when the proposal was made.", Schema.optional(Schema.Unknown)),
        current: described("Current value of the field.", Schema.optional(Schema.Unknown)),
        proposed: described("Proposed value of the field.", Schema.optional(Schema.Unknown))
      })
    )
  ),
  asker: described(
    "Whether the asker (who made the proposal) may still make the change; null after the decision, or if an agent calls.",
    Schema.NullOr(
      Schema.Struct({
        mayStill: described("Whether the asker may still make the change.", Schema.Boolean),
        why: described("Why the asker may not make the change; null if the asker may.", Schema.NullOr(Schema.String))
      })
    )
  )
}).annotations({ identifier: "ProposalDetail" })
export type ProposalDetail = typeof ProposalDetail.Type

/** A proposal that an agent creates through the proposals API. */
export const ProposalDraft = example(
  Schema.Struct({
    targetType: described("Type of the record that the proposal changes.", Schema.String.pipe(Schema.maxLength(64))),
    targetId: described("Id of the record; omit this field for a create.", Schema.optional(Id)),
    proposalType: described(
      "Kind of the change: `create`, `update`, `delete`, or `<subject>.<action>`.",
      Schema.String.pipe(Schema.maxLength(120))
    ),
    workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
    data: described("Fields of the change; the names depend on the record type.", JsonObject),
    reasoning: described(
      "Reason for the change, for the person who decides.",
      Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))))
    ),
    sessionId: Schema.optional(FocusSessionId)
  }).annotations({ identifier: "ProposalDraft" }),
  {
    targetType: "entity",
    proposalType: "create",
    data: { profileSlug: "note", title: "Call the roofer" },
    reasoning: "The roof leaks."
  }
)
export type ProposalDraft = typeof ProposalDraft.Type

/** The answer to an agent that created a proposal through the proposals API. */
export const FiledProposal = Schema.Struct({
  ...NewProposal.fields,
  id: Id,
  status: Schema.Literal("pending"),
  sessionId: Schema.NullOr(FocusSessionId)
}).annotations({ identifier: "FiledProposal" })
export type FiledProposal = typeof FiledProposal.Type

export const ProposalEdit = example(
  Schema.Struct({
    data: described("New content, which replaces the whole old content.", JsonObject),
    summary: described(
      "New summary of the proposal. Only a person may send a summary; for an agent the pod writes the summary.",
      Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)))
    ),
    expectedRevision: described(
      "Revision that you read. If somebody has edited the proposal since, the call fails.",
      Schema.optional(Schema.Int.pipe(Schema.positive()))
    )
  }).annotations({ identifier: "ProposalEdit" }),
  { data: { profileSlug: "note", title: "Call the roofer on Monday" } }
)
export type ProposalEdit = typeof ProposalEdit.Type

/**
 * Identifies the content that the person saw before the approval. If somebody else has edited the proposal,
 * `expectedRevision` or `contentHash` is required, because the person possibly saw an older content.
 */
export const Approval = example(
  Schema.Struct({
    expectedRevision: described(
      "Revision that you read. If somebody has edited the proposal since, the call fails.",
      Schema.optional(Schema.Int.pipe(Schema.positive()))
    ),
    contentHash: described(
      "`contentHash` that you read; the call fails if the content has another hash.",
      Schema.optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)))
    )
  }).annotations({ identifier: "Approval" }),
  { expectedRevision: 1 }
)
export type Approval = typeof Approval.Type

export const Rejection = example(
  Schema.Struct({
    reason: described(
      "Why you reject or withdraw the proposal.",
      Schema.optional(Schema.String.pipe(Schema.maxLength(2000)))
    ),
    reasonCode: described("Code of the reason, for programs.", Schema.optional(ReasonCode))
  }).annotations({ identifier: "Rejection" }),
  { reason: "The roofer was called yesterday." }
)
export type Rejection = typeof Rejection.Type

/** The full id of a proposal, or its first 4 to 35 characters. */
export const ProposalHandle = Schema.String.pipe(
  Schema.pattern(/^[0-9a-fA-F-]{4,36}$/, {
    message: () => "Send the id of the proposal, or at least its first 4 characters."
  })
)

export class ProposalNotFound extends Data.TaggedError("ProposalNotFound")<{ readonly handle: string }> {}
export class HandleAmbiguous extends Data.TaggedError("HandleAmbiguous")<{ readonly handle: string }> {}

export const lifetimeDays = 30
