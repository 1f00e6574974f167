/** A proposal: a change that waits for a person, bound to its content, its base and the authority it was made under. */
import { Data, Schema } from "effect"
import { createHash } from "node:crypto"
import { JsonObject, pageInput, pageQuery, Timestamp } from "../../doors/Fields.ts"
import { type Subject, subjects } from "../../doors/Door.ts"
import { ProposedAnswer } from "../../doors/Proposed.ts"
import type { Change, Json, Mention, Snapshot } from "../gate/Write.ts"

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

const ProposalClass = Schema.Literal("ephemeral", "curatorial", "governance", "access", "objectWork")

/** What an approval needs to know of the one who asked. What their key may touch is asked of the key itself. */
export const Asker = Schema.Struct({
  credentialKind: Schema.Literal("key", "session"),
  credentialId: Schema.String,
  holderId: Schema.String,
  personId: Schema.String
})
export type Asker = typeof Asker.Type

const KeptSnapshot = Schema.Struct({ version: Schema.Number, fields: JsonObject })

/** What an approval wrote: enough to take it back exactly. */
const Applied = Schema.Struct({
  before: Schema.NullOr(KeptSnapshot),
  content: JsonObject,
  hash: Schema.String,
  /** What it made, where that is not its target. */
  made: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})
export type Applied = typeof Applied.Type

/** The parts of a proposal that are kept as JSON. */
export const KeptJson = Schema.Struct({
  content: JsonObject,
  base: Schema.NullOr(KeptSnapshot),
  authority: Asker,
  applied: Schema.NullOr(Applied),
  mentions: Schema.Array(
    Schema.Struct({
      subject: Schema.Literal(...subjects),
      kind: Schema.NullOr(Schema.String),
      objectId: Schema.NullOr(Schema.String)
    })
  )
})

/** A proposal as it is kept. */
export interface StoredProposal {
  readonly id: string
  readonly spaceId: string
  /** The person it was made for, and who made it: an agent of theirs, or they themselves. */
  readonly userId: string
  readonly actorId: string
  readonly subject: Subject
  readonly kind: string | null
  readonly action: Change["action"]
  readonly targetType: string
  readonly targetId: string
  readonly projectIds: ReadonlyArray<string>
  /** What it tells of besides its target: it is read only by whoever reads all of that. */
  readonly mentions: ReadonlyArray<Mention>
  readonly proposalType: string
  readonly class: typeof ProposalClass.Type
  readonly content: Json
  readonly contentHash: string
  readonly revision: number
  readonly editedBy: string | null
  readonly base: Snapshot | null
  readonly authority: Asker
  readonly isPrivate: boolean
  readonly summary: string
  readonly reasoning: string | null
  readonly status: Status
  readonly statusReason: string | null
  readonly reasonCode: string | null
  readonly decidedBy: string | null
  readonly decidedAt: typeof Timestamp.Type | null
  readonly applied: Applied | null
  readonly sessionId: string | null
  readonly correlationId: string
  readonly filedEventId: string
  readonly settledEventId: string | null
  readonly expiresAt: typeof Timestamp.Type
  readonly createdAt: typeof Timestamp.Type
  readonly updatedAt: typeof Timestamp.Type
}

/** Whether an agent made it. What a person suggests is made by the one it is for. */
export const isAgents = ({ actorId, userId }: Pick<StoredProposal, "actorId" | "userId">): boolean => actorId !== userId

/** One difference that the change makes, by field; texts also word by word. */
export const Difference = Schema.Struct({
  path: Schema.Array(Schema.String),
  kind: Schema.Literal("added", "removed", "changed"),
  before: Schema.optional(Schema.Unknown),
  after: Schema.optional(Schema.Unknown),
  words: Schema.optional(
    Schema.Array(Schema.Struct({ kind: Schema.Literal("same", "removed", "added"), text: Schema.String }))
  )
}).annotations({ identifier: "Difference" })

const basic = {
  id: Schema.UUID,
  proposalType: Schema.String,
  targetType: Schema.String,
  targetId: Schema.UUID,
  status: Status,
  workspaceId: Schema.NullOr(Schema.UUID),
  createdAt: Timestamp,
  correlationId: Schema.UUID,
  sessionId: Schema.NullOr(Schema.UUID),
  agentUserId: Schema.NullOr(Schema.UUID),
  materializedIds: Schema.optional(Schema.Array(Schema.UUID)),
  summary: Schema.String,
  class: ProposalClass,
  lifetimeHours: Schema.NullOr(Schema.Number),
  /** Rises with every edit. */
  revision: Schema.Number,
  /** SHA-256 over target, kind, projects, content and base: what an approval names to say what it saw. */
  contentHash: Schema.String
}

export const BasicProposal = Schema.Struct(basic).annotations({ identifier: "BasicProposal" })

const whole = {
  ...basic,
  data: JsonObject,
  reasoning: Schema.NullOr(Schema.String),
  /** Why it was rejected or could not be carried out, for whoever asked. */
  statusReason: Schema.NullOr(Schema.String),
  reasonCode: Schema.NullOr(Schema.String),
  threadId: Schema.NullOr(Schema.UUID),
  sourceMessageId: Schema.NullOr(Schema.UUID),
  commandRunId: Schema.NullOr(Schema.UUID),
  createdBy: Schema.UUID,
  decidedBy: Schema.NullOr(Schema.UUID),
  decidedAt: Schema.NullOr(Timestamp),
  baseVersion: Schema.NullOr(Schema.Number),
  expiresAt: Timestamp,
  updatedAt: Timestamp
}

export const Proposal = Schema.Struct(whole).annotations({ identifier: "Proposal" })
export type Proposal = typeof Proposal.Type

export const ProposalDetail = Schema.Struct({
  ...whole,
  /** What it would change of the record as it stands now; for a settled one, what it was made to change. */
  differences: Schema.Array(Difference),
  /** Fields that it and somebody else both changed since. */
  conflicts: Schema.Array(
    Schema.Struct({
      path: Schema.Array(Schema.String),
      base: Schema.optional(Schema.Unknown),
      current: Schema.optional(Schema.Unknown),
      proposed: Schema.optional(Schema.Unknown)
    })
  )
}).annotations({ identifier: "ProposalDetail" })
export type ProposalDetail = typeof ProposalDetail.Type

const StatusFilter = Schema.Union(Status, Schema.Literal("all"))
const filters = {
  userId: Schema.optional(Schema.String),
  workspaceId: Schema.optional(Schema.UUID),
  sessionId: Schema.optional(Schema.UUID),
  status: Schema.optionalWith(StatusFilter, { default: () => "pending" as const }),
  view: Schema.optionalWith(Schema.Literal("full", "basic").annotations({ description: "How much is said of each." }), {
    default: () => "full" as const
  })
}

const pageDefault = 50
const pageMost = 200

export const ProposalQuery = Schema.Struct({ ...filters, ...pageQuery(pageDefault, pageMost) })
export const ProposalInput = Schema.Struct({ ...filters, ...pageInput(pageDefault, pageMost) })
export type ProposalInput = typeof ProposalInput.Type

export const ProposalPage = Schema.Struct({
  proposals: Schema.Array(Schema.Union(Proposal, BasicProposal)),
  limit: Schema.Number,
  offset: Schema.Number,
  total: Schema.Number,
  hasMore: Schema.Boolean
}).annotations({ identifier: "ProposalPage" })

/** What an agent files by hand. */
export const ProposalDraft = Schema.Struct({
  targetType: Schema.String.pipe(Schema.maxLength(64)),
  /** Left out for what does not exist yet. */
  targetId: Schema.optional(Schema.UUID),
  /** `create`, `update`, `delete`, or `<subject>.<action>`. */
  proposalType: Schema.String.pipe(Schema.maxLength(120)),
  workspaceId: Schema.optional(Schema.NullOr(Schema.UUID)),
  data: JsonObject,
  reasoning: Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000)))),
  sessionId: Schema.optional(Schema.UUID)
}).annotations({ identifier: "ProposalDraft" })
export type ProposalDraft = typeof ProposalDraft.Type

/** The answer to a proposal that was filed by hand. */
export const FiledProposal = Schema.Struct({
  ...ProposedAnswer.fields,
  id: Schema.UUID,
  status: Schema.Literal("pending"),
  sessionId: Schema.NullOr(Schema.UUID)
}).annotations({ identifier: "FiledProposal" })
export type FiledProposal = typeof FiledProposal.Type

export const ProposalEdit = Schema.Struct({
  /** Stands in the place of the whole content. */
  data: JsonObject,
  /** A person may say it in other words. For an agent the pod says itself what a proposal does. */
  summary: Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500))),
  expectedRevision: Schema.optional(Schema.Int.pipe(Schema.positive()))
}).annotations({ identifier: "ProposalEdit" })
export type ProposalEdit = typeof ProposalEdit.Type

/** What the person saw. Either is enough; needed when somebody else edited the content since it was filed. */
export const Approval = Schema.Struct({
  expectedRevision: Schema.optional(Schema.Int.pipe(Schema.positive())),
  contentHash: Schema.optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)))
}).annotations({ identifier: "Approval" })
export type Approval = typeof Approval.Type

export const Rejection = Schema.Struct({
  reason: Schema.optional(Schema.String.pipe(Schema.maxLength(2000))),
  reasonCode: Schema.optional(ReasonCode)
}).annotations({ identifier: "Rejection" })
export type Rejection = typeof Rejection.Type

/** A full id, or the first 4 to 35 characters of one. */
export const ProposalHandle = Schema.String.pipe(Schema.pattern(/^[0-9a-fA-F-]{4,36}$/))

export class ProposalNotFound extends Data.TaggedError("ProposalNotFound")<{ readonly handle: string }> {}
export class HandleAmbiguous extends Data.TaggedError("HandleAmbiguous")<{ readonly handle: string }> {}

export const lifetimeDays = 30

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, field]) => [name, sorted(field)])
        )
      : value

/** What a proposal would do to what, as 64 hexadecimal digits. */
export const hashOf = (
  change: Pick<Change, "targetType" | "targetId" | "action" | "kind" | "content" | "base">,
  projectIds: ReadonlyArray<string>
): string => {
  const { action, base, content, kind, targetId, targetType } = change
  const said = [targetType, targetId, action, kind, projectIds.toSorted(), sorted(content), sorted(base)]
  return createHash("sha256").update(JSON.stringify(said)).digest("hex")
}

const summaryMost = 500 // characters

/** A summary as it is kept. */
export const shortened = (summary: string): string => summary.slice(0, summaryMost).toWellFormed()

/** The class of a proposal, which says how long it may lie (compatibility reference §5.7). */
export const classOf = (subject: Subject): StoredProposal["class"] =>
  subject === "member" || subject === "role" || subject === "apiKey" || subject === "agent" || subject === "workspace"
    ? "access"
    : "objectWork"
