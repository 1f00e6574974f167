/**
 * The expected outcome of every step, and what each caller may see after it. The rules are written again here, without
 * code from src.
 */
import { type ModelWrite, expectedVerdict } from "../../../doors/ladderModel.ts"
import { grantAllows, type Row, canSee, mayTouch, unnamedKind } from "../../../doors/model.ts"
import {
  type Content,
  personOf,
  type State,
  type Thing,
  existingThing,
  type ModelCaller,
  callerAt,
  type ModelProposal,
  type ThingTexts
} from "./state.ts"

/** The answer of a step: `ok`, `proposed`, or the status of a refusal. The tests compare `code` only for a conflict. */
export interface StepResult {
  readonly status: string
  readonly code: string
}

export const stepResult = (status: string, code = ""): StepResult => ({ status, code })
export const okResult = stepResult("ok")
export const refusedResult = stepResult("403")
export const absentResult = stepResult("404")
export const invalidResult = stepResult("400")
export const conflictResult = (code: string) => stepResult("409", code)

export const rowOf = ({ id, kind, projectIds, spaceId }: Thing): Row => ({ id, kind, projectIds, spaceId })

/** Makes a write in the form that the model of the gate needs: its target, and the additional writes. */
export const writeOf = (
  of: ModelProposal["of"],
  action: ModelProposal["action"],
  target: {
    readonly id: string | null
    readonly spaceId: string
    readonly kind: string
    readonly projectIds: ReadonlyArray<string>
  },
  content: Content
): ModelWrite => {
  const bare = { id: null, spaceId: target.spaceId, kind: unnamedKind, projectIds: [] as ReadonlyArray<string> }
  const { content: text, projectId } = content
  const also: Array<ModelWrite> = []
  if (of === "entity" && action === "create" && projectId !== undefined) {
    const projectIds = [projectId]
    // Filing an entity changes the project and creates a relation.
    also.push({ subject: "project", action: "update", target: { ...bare, id: projectId, projectIds }, isFiling: true })
    also.push({ subject: "relation", action: "create", target: { ...bare, projectIds }, isFiling: true })
  }
  if (of === "entity" && text !== undefined) also.push({ subject: "document", action, target: bare })
  return { subject: of, action, target, also }
}

/**
 * Returns the gate's verdict on a caller's write. No workspace has a policy here, and every agent's writes need
 * approval.
 */
export const gateVerdict = (state: State, { credential, person }: ModelCaller, write: ModelWrite) =>
  expectedVerdict(credential, person, write, {
    role: write.target.spaceId === person.id ? "owner" : "editor",
    isRelaxed: false,
    isItsOwn: false,
    autoApproveFor: null,
    rules: write.target.spaceId === state.ids.spaces.shared ? state.rules : []
  }).verdict

/**
 * True if the caller may change or read the record of a proposal. The result is always true for a proposal to create a
 * record.
 */
export const isReached = (
  state: State,
  { credential, person }: ModelCaller,
  wish: Pick<ModelProposal, "action" | "of" | "targetId">
): boolean => {
  if (wish.action === "create") return true
  const thing = existingThing(state, wish.targetId)
  if (thing === undefined) return false
  const row = rowOf(thing)
  return mayTouch(credential, person, wish.action, row) || mayTouch(credential, person, "read", row)
}

/** Returns the write that the proposal would make now, to the current record. */
export const writeOfProposal = (
  state: State,
  wish: Pick<ModelProposal, "action" | "content" | "kind" | "of" | "spaceId" | "targetId">
) => {
  const thing = wish.action === "create" ? undefined : state.things.find(({ id }) => id === wish.targetId)
  const { projectId, profileSlug } = wish.content
  return writeOf(
    wish.of,
    wish.action,
    thing === undefined
      ? {
          id: null,
          spaceId: wish.spaceId,
          kind: wish.of === "command" ? unnamedKind : (profileSlug ?? "note"),
          projectIds: projectId === undefined ? [] : [projectId]
        }
      : rowOf(thing),
    wish.content
  )
}

const wordNames = ["title", "description"] as const

/** Returns the title and the description in a proposal's content, if the content has them. */
export const changedTexts = ({ description, title }: Content): Partial<ThingTexts> => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description })
})

/**
 * Returns the fields that the proposal changes, and that somebody else has changed to another value since the proposal
 * was made.
 */
export const conflictsOf = (
  { action, base, content }: ModelProposal,
  now: Thing | undefined
): ReadonlyArray<string> => {
  if (action === "create" || base === null || now === undefined || now.version === base.version) return []
  const asked = changedTexts(content)
  return wordNames.filter((name) => {
    const [was, is] = [base.words[name], now[name]]
    if (action === "delete") return was !== is
    const then = asked[name]
    return then !== undefined && was !== is && was !== then && is !== then
  })
}

/** Returns the fields that an approval writes to the record: the fields that the proposal changes. */
export const approvedTexts = ({ base, content }: ModelProposal, now: Thing): Partial<ThingTexts> => {
  const asked = changedTexts(content)
  if (base === null || now.version === base.version) return asked
  return Object.fromEntries(
    Object.entries(asked).map(([name, then]) => {
      const field = name as keyof ThingTexts
      return [name, base.words[field] === then ? now[field] : then]
    })
  )
}

/** Returns everything that a person must have seen before an approval, as one text. */
export const seenContent = ({
  base,
  content,
  kind,
  projectIds
}: Pick<ModelProposal, "base" | "content" | "kind" | "projectIds">): string =>
  JSON.stringify([content, base, kind, projectIds.toSorted()])

/**
 * True if a caller sees a proposal. The caller must be allowed to read proposals, the record in the place where it is
 * filed now, and everything else that the proposal mentions. A proposal about a private record is visible only to the
 * person who owns it.
 */
export const canSeeProposal = (state: State, by: number, wish: ModelProposal): boolean => {
  const { credential, grant, person } = callerAt(state, by)
  const { content, kind, of, spaceId, targetId } = wish
  if (of === "command" && content.sharing === "user" && person.id !== personOf(state, wish.asker)) return false
  // A proposal to create a record has a record only after the approval.
  const isMade = wish.action !== "create" || wish.status === "approved"
  const thing = state.things.find(({ id }) => id === targetId)
  if (grant?.projectIds != null && of === "command") return false
  // A deleted record stays in `things`, with the projects that it had. So only a record that never existed is missing
  // here.
  if (grant?.projectIds != null && isMade && thing === undefined) return false
  const projectIds =
    wish.action === "create" && wish.status !== "approved" ? wish.projectIds : (thing?.projectIds ?? [])
  const about = { id: targetId, spaceId, kind: of === "command" ? unnamedKind : kind, projectIds }
  if (!mayTouch(credential, person, "read", { ...about, kind: unnamedKind }, "proposal")) return false
  const subject = of === "command" ? "command" : "entity"
  if (!grantAllows(grant, person, subject, "read", about)) return false
  // A document belongs to no project, so a key for projects reads no document.
  const tellsOfText = of === "entity" && content.content !== undefined
  return (
    !tellsOfText ||
    (grant?.projectIds == null &&
      grantAllows(grant === null ? null : { ...grant, entityIds: null }, person, "document", "read", about))
  )
}

export const visibleThings = (state: State, by: number): ReadonlyArray<Thing> => {
  const { credential, person } = callerAt(state, by)
  return state.things.filter((thing) => !thing.isGone && canSee(credential, person, rowOf(thing)))
}

export const visibleCommands = (state: State, by: number): ReadonlyArray<string> => {
  const { credential, person } = callerAt(state, by)
  return state.commands
    .filter(({ id, isPrivate, ownerId, spaceId }) => {
      const row = { id, spaceId, kind: unnamedKind, projectIds: [] }
      return (!isPrivate || ownerId === person.id) && mayTouch(credential, person, "read", row, "command")
    })
    .map(({ id }) => id)
}
