/** A proposal: a change that waits for a person, bound to its content, its base and the authority it was made under. */
import { Data, Schema } from "effect"
import { createHash } from "node:crypto"
import {
  WorkspaceId,
  SessionId,
  AgentId,
  CallerId,
  described,
  JsonObject,
  pageInput,
  pageQuery,
  Timestamp
} from "../../doors/Fields.ts"
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
  credentialKind: described("A key or a session.", Schema.Literal("key", "session")),
  credentialId: described("The credential, by id.", Schema.String),
  holderId: described("Who holds the key.", Schema.String),
  personId: described("The person behind it.", Schema.String)
})
export type Asker = typeof Asker.Type

const KeptSnapshot = Schema.Struct({
  version: described("Counts its writes, from 1.", Schema.Number),
  fields: described("What it would change.", JsonObject)
})

/** What an approval wrote: enough to take it back exactly. */
const Applied = Schema.Struct({
  before: described("What stands now.", Schema.NullOr(KeptSnapshot)),
  content: described("The text.", JsonObject),
  hash: described("Names its content.", Schema.String),
  made: described(
    "What it made, where that is not its target.",
    Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
  )
})
export type Applied = typeof Applied.Type

/** The parts of a proposal that are kept as JSON. */
export const KeptJson = Schema.Struct({
  content: described("The text.", JsonObject),
  base: described("What it was made from.", Schema.NullOr(KeptSnapshot)),
  authority: described("What it rests on.", Asker),
  applied: described("What approving it wrote.", Schema.NullOr(Applied)),
  mentions: described(
    "What it tells of.",
    Schema.Array(
      Schema.Struct({
        subject: described("What is written, such as `entity`.", Schema.Literal(...subjects)),
        kind: Schema.NullOr(Schema.String),
        objectId: described("The object, by id.", Schema.NullOr(Schema.String))
      })
    )
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
  path: described("Which field.", Schema.Array(Schema.String)),
  kind: Schema.Literal("added", "removed", "changed"),
  before: described("What stands now.", Schema.optional(Schema.Unknown)),
  after: described("What it would be.", Schema.optional(Schema.Unknown)),
  words: described(
    "The agent's own words.",
    Schema.optional(
      Schema.Array(
        Schema.Struct({
          kind: Schema.Literal("same", "removed", "added"),
          text: described("The words.", Schema.String)
        })
      )
    )
  )
}).annotations({ identifier: "Difference" })

const basic = {
  id: Schema.UUID,
  proposalType: described("Who suggests it: a person or an agent.", Schema.String),
  targetType: described("The type of what it writes.", Schema.String),
  targetId: described("What it changes, by id; null: something new.", Schema.UUID),
  status: Status,
  workspaceId: Schema.NullOr(WorkspaceId),
  createdAt: Timestamp,
  correlationId: described("Ties together what belongs to one undertaking.", Schema.UUID),
  sessionId: Schema.NullOr(SessionId),
  agentUserId: Schema.NullOr(AgentId),
  materializedIds: described("What it made, by id.", Schema.optional(Schema.Array(Schema.UUID))),
  summary: Schema.String,
  class: described("How grave it is.", ProposalClass),
  lifetimeHours: described("How long it waits.", Schema.NullOr(Schema.Number)),
  revision: described("Rises with every edit.", Schema.Number),
  contentHash: described(
    "SHA-256 over target, kind, projects, content and base: what an approval names to say what it saw.",
    Schema.String
  )
}

export const BasicProposal = Schema.Struct(basic).annotations({ identifier: "BasicProposal" })

const whole = {
  ...basic,
  data: described("What it holds, by its type.", JsonObject),
  reasoning: described("Why, for the person who decides on it.", Schema.NullOr(Schema.String)),
  statusReason: described(
    "Why it was rejected or could not be carried out, for whoever asked.",
    Schema.NullOr(Schema.String)
  ),
  reasonCode: described("Why it waits, for programs.", Schema.NullOr(Schema.String)),
  threadId: described("The thread it belongs to.", Schema.NullOr(Schema.UUID)),
  sourceMessageId: described("The message it comes from.", Schema.NullOr(Schema.UUID)),
  commandRunId: described("The run of a command it comes from.", Schema.NullOr(Schema.UUID)),
  createdBy: described("Who made it.", Schema.UUID),
  decidedBy: described("Who decided.", Schema.NullOr(Schema.UUID)),
  decidedAt: described("When it was decided.", Schema.NullOr(Timestamp)),
  baseVersion: described("The version it was made from.", Schema.NullOr(Schema.Number)),
  expiresAt: described("When it ends; null: never.", Timestamp),
  updatedAt: Timestamp
}

export const Proposal = Schema.Struct(whole).annotations({ identifier: "Proposal" })
export type Proposal = typeof Proposal.Type

export const ProposalDetail = Schema.Struct({
  ...whole,
  differences: described(
    "What it would change of the record as it stands now; for a settled one, what it was made to change.",
    Schema.Array(Difference)
  ),
  conflicts: described(
    "Fields that it and somebody else both changed since.",
    Schema.Array(
      Schema.Struct({
        path: described("Which field.", Schema.Array(Schema.String)),
        base: described("What it was made from.", Schema.optional(Schema.Unknown)),
        current: described("What stands now.", Schema.optional(Schema.Unknown)),
        proposed: described("What it would be.", Schema.optional(Schema.Unknown))
      })
    )
  )
}).annotations({ identifier: "ProposalDetail" })
export type ProposalDetail = typeof ProposalDetail.Type

const StatusFilter = Schema.Union(Status, Schema.Literal("all"))
const filters = {
  userId: Schema.optional(CallerId),
  workspaceId: Schema.optional(WorkspaceId),
  sessionId: Schema.optional(SessionId),
  status: Schema.optionalWith(StatusFilter, { default: () => "pending" as const }),
  view: described(
    "Which proposals: those to decide on, or one's own.",
    Schema.optionalWith(Schema.Literal("full", "basic").annotations({ description: "How much is said of each." }), {
      default: () => "full" as const
    })
  )
}

const pageDefault = 50
const pageMost = 200

export const ProposalQuery = Schema.Struct({ ...filters, ...pageQuery(pageDefault, pageMost) })
export const ProposalInput = Schema.Struct({ ...filters, ...pageInput(pageDefault, pageMost) })
export type ProposalInput = typeof ProposalInput.Type

export const ProposalPage = Schema.Struct({
  proposals: described("The proposals.", Schema.Array(Schema.Union(Proposal, BasicProposal))),
  limit: described("At most this many.", Schema.Number),
  offset: described("Leave out this many first.", Schema.Number),
  total: Schema.Number,
  hasMore: described("Whether there are more.", Schema.Boolean)
}).annotations({ identifier: "ProposalPage" })

/** What an agent files by hand. */
export const ProposalDraft = Schema.Struct({
  targetType: described("The type of what it writes.", Schema.String.pipe(Schema.maxLength(64))),
  targetId: described("Left out for what does not exist yet.", Schema.optional(Schema.UUID)),
  proposalType: described(
    "`create`, `update`, `delete`, or `<subject>.<action>`.",
    Schema.String.pipe(Schema.maxLength(120))
  ),
  workspaceId: Schema.optional(Schema.NullOr(WorkspaceId)),
  data: described("What it holds, by its type.", JsonObject),
  reasoning: described(
    "Why, for the person who decides on it.",
    Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(10_000))))
  ),
  sessionId: Schema.optional(SessionId)
}).annotations({ identifier: "ProposalDraft" })
export type ProposalDraft = typeof ProposalDraft.Type

/** The answer to a proposal that was filed by hand. */
export const FiledProposal = Schema.Struct({
  ...ProposedAnswer.fields,
  id: Schema.UUID,
  status: Schema.Literal("pending"),
  sessionId: Schema.NullOr(SessionId)
}).annotations({ identifier: "FiledProposal" })
export type FiledProposal = typeof FiledProposal.Type

export const ProposalEdit = Schema.Struct({
  data: described("Stands in the place of the whole content.", JsonObject),
  summary: described(
    "A person may say it in other words. For an agent the pod says itself what a proposal does.",
    Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(500)))
  ),
  expectedRevision: described(
    "Refuse if it was written since this revision.",
    Schema.optional(Schema.Int.pipe(Schema.positive()))
  )
}).annotations({ identifier: "ProposalEdit" })
export type ProposalEdit = typeof ProposalEdit.Type

/** What the person saw. Either is enough; needed when somebody else edited the content since it was filed. */
export const Approval = Schema.Struct({
  expectedRevision: described(
    "Refuse if it was written since this revision.",
    Schema.optional(Schema.Int.pipe(Schema.positive()))
  ),
  contentHash: described(
    "Names the content that was shown; approving checks it.",
    Schema.optional(Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)))
  )
}).annotations({ identifier: "Approval" })
export type Approval = typeof Approval.Type

export const Rejection = Schema.Struct({
  reason: described("Why, for people.", Schema.optional(Schema.String.pipe(Schema.maxLength(2000)))),
  reasonCode: described("Why it waits, for programs.", Schema.optional(ReasonCode))
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
