/** A proposal in the form that the store keeps, and the functions that compute values from the change of a proposal. */
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { described, JsonObject, Timestamp } from "../../doors/Fields.ts"
import { type Subject, subjects } from "../../doors/Door.ts"
import type { Change, JsonRecord, Mention, Snapshot } from "../gate/Write.ts"
import { shortenText } from "../../platform/StoredText.ts"
import { ProposalClass, Status } from "./Proposal.ts"

/**
 * Who requested the change, with the data that an approval needs. The rights of the key that made the request are not
 * stored here, because the pod reads them from the key.
 */
export const Requester = Schema.Struct({
  credentialKind: described("A key or a session.", Schema.Literal("key", "session")),
  credentialId: described("Id of the credential.", Schema.String),
  holderId: described("Who holds the key.", Schema.String),
  personId: described("Person that the holder acts for.", Schema.String)
})
export type Requester = typeof Requester.Type

const KeptSnapshot = Schema.Struct({
  version: described("Version, from 1.", Schema.Number),
  fields: described("Fields of the record.", JsonObject)
})

/** The result of an approval. It has everything that a revert needs to restore the earlier state exactly. */
const ApprovedWrite = Schema.Struct({
  before: described("Record before the approval.", Schema.NullOr(KeptSnapshot)),
  content: described("Fields of the change.", JsonObject),
  hash: described("Hash of the approved content.", Schema.String),
  made: described(
    "Ids of the records that were created in addition to the target.",
    Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
  )
})
export type ApprovedWrite = typeof ApprovedWrite.Type

/** The parts of a proposal that are stored as JSON. */
export const StoredProposalJson = Schema.Struct({
  content: described("Fields of the change.", JsonObject),
  base: described("Record from which the change was made.", Schema.NullOr(KeptSnapshot)),
  authority: described("Who asked for the change, and with which credential.", Requester),
  applied: described("What the approval wrote.", Schema.NullOr(ApprovedWrite)),
  mentions: described(
    "Other objects that the content reveals.",
    Schema.Array(
      Schema.Struct({
        subject: described("Subject of that object, such as `entity`.", Schema.Literal(...subjects)),
        kind: Schema.NullOr(Schema.String),
        objectId: described("Id of the object.", Schema.NullOr(Schema.String))
      })
    )
  )
})

export interface StoredProposal {
  readonly id: string
  readonly spaceId: string
  /**
   * The id of the person who made the proposal, or whose agent made it.
   */
  readonly userId: string
  readonly actorId: string
  readonly subject: Subject
  readonly kind: string | null
  readonly action: Change["action"]
  readonly targetType: string
  readonly targetId: string
  readonly projectIds: ReadonlyArray<string>
  /**
   * Other objects whose content the proposal shows. Only a caller who may read all these objects may read the proposal.
   */
  readonly mentions: ReadonlyArray<Mention>
  readonly proposalType: string
  readonly class: typeof ProposalClass.Type
  readonly content: JsonRecord
  readonly contentHash: string
  readonly revision: number
  readonly editedBy: string | null
  readonly base: Snapshot | null
  readonly authority: Requester
  readonly isPrivate: boolean
  readonly summary: string
  readonly reasoning: string | null
  readonly status: Status
  readonly statusReason: string | null
  readonly reasonCode: string | null
  readonly decidedBy: string | null
  readonly decidedAt: typeof Timestamp.Type | null
  readonly applied: ApprovedWrite | null
  readonly sessionId: string | null
  readonly correlationId: string
  readonly filedEventId: string
  readonly settledEventId: string | null
  readonly expiresAt: typeof Timestamp.Type
  readonly createdAt: typeof Timestamp.Type
  readonly updatedAt: typeof Timestamp.Type
}

/** Returns true if an agent made the proposal. If a person made the proposal, `actorId` and `userId` are the same. */
export const isByAgent = ({ actorId, userId }: Pick<StoredProposal, "actorId" | "userId">): boolean =>
  actorId !== userId

const sortFields = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortFields)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, field]) => [name, sortFields(field)])
        )
      : value

/** Returns a hash of the change and its target, as 64 hexadecimal digits. */
export const proposalHash = (
  change: Pick<Change, "targetType" | "targetId" | "action" | "kind" | "content" | "base">,
  projectIds: ReadonlyArray<string>
): string => {
  const { action, base, content, kind, targetId, targetType } = change
  const parts = [targetType, targetId, action, kind, projectIds.toSorted(), sortFields(content), sortFields(base)]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

// the maximum number of characters of a summary
const summaryMax = 500

/** Cuts a summary to the greatest length that the store accepts. */
export const truncateSummary = (summary: string): string => shortenText(summary, summaryMax)

/**
 * Returns the class of a proposal, which says whether the change is about access rights or about records (compatibility
 * reference §5.7). Proposals of both classes wait for the same time, `lifetimeDays`.
 */
export const proposalClassOf = (subject: Subject): StoredProposal["class"] =>
  subject === "member" || subject === "role" || subject === "apiKey" || subject === "agent" || subject === "workspace"
    ? "access"
    : "objectWork"
