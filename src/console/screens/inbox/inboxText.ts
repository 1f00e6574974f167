/** The words that describe proposals in the inbox. */
import type { AnswerOf } from "../../api/hub.ts"
import type { Names } from "../../api/useNames.ts"
import { relativeTime } from "../../ui/relativeTime.ts"

export type ProposalRow = AnswerOf<"GET /api/hub/proposals">["proposals"][number]
export type ProposalWhole = AnswerOf<"GET /api/hub/proposals/:id">

export const rowId = ({ id }: ProposalRow): string => id

/** What the change does to the record: `create`, `update`, `delete`, or `join`. */
export const actionOf = ({ proposalType }: Pick<ProposalRow, "proposalType">): string =>
  proposalType.split(".").at(-1) ?? proposalType

export interface Risk {
  readonly tone: "bad" | "warn"
  readonly text: string
}

/** The risk of a proposal, from its type and class. Undefined for a proposal without a special risk. */
export const riskOf = (proposal: Pick<ProposalRow, "proposalType" | "class">): Risk | undefined => {
  if (actionOf(proposal) === "delete") return { tone: "bad", text: "Deletes" }
  if (proposal.class === "access") return { tone: "bad", text: "Changes access" }
  if (proposal.class === "governance") return { tone: "warn", text: "Changes a rule" }
  return undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export interface Confidence {
  readonly tone: "plain" | "warn"
  readonly text: string
}

/** How sure the agent is, such as `40 % sure`. Undefined if the agent does not say it. */
export const confidenceOf = ({ confidence }: Pick<ProposalRow, "confidence">): Confidence | undefined =>
  confidence === null
    ? undefined
    : { tone: confidence < 0.5 ? "warn" : "plain", text: `${Math.round(confidence * 100)} % sure` }

/** The id of the message in which the agent found the record. Undefined if the proposal names no message. */
export const sourceMessageOf = ({ data }: Pick<ProposalWhole, "data">): string | undefined => {
  const content = data["data"]
  const id = isRecord(content) ? content["sourceMessageId"] : undefined
  return typeof id === "string" ? id : undefined
}

export const statusNames: Readonly<Record<ProposalRow["status"], string>> = {
  pending: "waiting",
  approved: "approved",
  rejected: "rejected",
  auto_approved: "approved by a rule",
  reverted: "reverted",
  approval_failed: "failed to apply",
  withdrawn: "withdrawn",
  expired: "expired"
}

/**
 * Says how long ago something happened. Counts seconds if it happened less than a minute ago, because another person
 * possibly decided just before this person.
 */
export const agoText = (at: string, nowMs: number): string => {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1000))
  return seconds < 60 ? `${seconds} s ago` : relativeTime(at, nowMs)
}

/** The message for a person who decides after somebody else, such as "Already approved by Ana 10 s ago." */
export const alreadyDecidedText = (
  proposal: Pick<ProposalWhole, "status" | "decidedBy" | "decidedAt">,
  name: Names,
  nowMs: number
): string => {
  const { decidedAt, decidedBy, status } = proposal
  const by = decidedBy === null ? "" : ` by ${name(decidedBy)}`
  const when = decidedAt === null ? "" : ` ${agoText(decidedAt, nowMs)}`
  return `Already ${statusNames[status]}${by}${when}.`
}

export interface RowGroup {
  readonly key: string
  /** The title of the group. Undefined if the list is not grouped. */
  readonly name: string | undefined
  readonly rows: ReadonlyArray<ProposalRow>
}

/**
 * The rows in groups. The person chooses to group by agent or by focus session. The groups are in the order of their
 * first rows.
 */
export const groupsOf = (
  rows: ReadonlyArray<ProposalRow>,
  by: "none" | "agent" | "session",
  name: Names
): ReadonlyArray<RowGroup> => {
  if (by === "none") return rows.length === 0 ? [] : [{ key: "all", name: undefined, rows }]
  const groups = new Map<string, { name: string; rows: Array<ProposalRow> }>()
  for (const row of rows) {
    const id = by === "agent" ? row.agentUserId : row.sessionId
    const key = id ?? "none"
    const absent = by === "agent" ? "People" : "Without a session"
    const title = id === null ? absent : by === "agent" ? name(id) : `Session ${id.slice(0, 8)}`
    const group = groups.get(key) ?? { name: title, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups].map(([key, group]) => ({ key, ...group }))
}

/** The ids from one row to another row, including both, in the order of the list. */
export const idsBetween = (ids: ReadonlyArray<string>, one: string, other: string): ReadonlyArray<string> => {
  const [at, to] = [ids.indexOf(one), ids.indexOf(other)]
  return at === -1 || to === -1 ? [] : ids.slice(Math.min(at, to), Math.max(at, to) + 1)
}

/** A selection with exactly these rows. */
export const selectionOf = (ids: ReadonlyArray<string>): Record<string, true> =>
  Object.fromEntries(ids.map((id) => [id, true]))

/**
 * The id that is `step` rows away from `id`. At an end of the list, `id` itself. If the list does not contain `id`: the
 * first row for step 1, and the last row for step -1.
 */
export const neighbour = (ids: ReadonlyArray<string>, id: string | undefined, step: 1 | -1): string | undefined => {
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at === -1) return step === 1 ? ids[0] : ids.at(-1)
  return ids[Math.min(Math.max(at + step, 0), ids.length - 1)]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The ids of records in the content of a proposal, each once, without the id `own`. */
export const idsIn = (content: unknown, own: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const look = (value: unknown) => {
    if (typeof value === "string" && uuid.test(value)) found.add(value)
    else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) look(each)
  }
  look(content)
  found.delete(own)
  return [...found]
}
