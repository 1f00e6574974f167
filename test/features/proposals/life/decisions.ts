/** Edits of proposals and decisions on proposals, in the test's model of the pod. The model calls a proposal a wish. */
import { unnamedKind } from "../../../doors/model.ts"
import {
  baseOf,
  withNewThing,
  projectExists,
  type Of,
  type Outcome,
  withProposal,
  summaryOf,
  proposalAt,
  withThing,
  textsOf
} from "./outcomes.ts"
import {
  absentResult,
  writeOfProposal,
  conflictResult,
  conflictsOf,
  isReached,
  gateVerdict,
  approvedTexts,
  okResult,
  refusedResult,
  rowOf,
  seenContent,
  canSeeProposal,
  writeOf,
  invalidResult
} from "./modelProposals.ts"
import {
  type Content,
  type State,
  existingThing,
  callerAt,
  type ModelCaller,
  type ModelProposal,
  type ThingTexts
} from "./state.ts"
import type { ContentEdit } from "./steps.ts"
import type { Ids } from "./smallWorld.ts"

/** Returns the content of a proposal after an edit, with the field names of the API. */
export const editedContent = (ids: Ids, content: Content, turn: ContentEdit): Content => {
  switch (turn.to) {
    case "same":
      return content
    case "title":
    case "description":
      return { ...content, [turn.to]: turn.value }
    case "kind":
      return { ...content, profileSlug: turn.value }
    case "project":
      return { ...content, projectId: ids.projects[turn.value] }
    case "text":
      return { ...content, content: turn.value }
    case "private":
      return { ...content, sharing: "user" }
    case "untitled": {
      const { name: _name, title: _title, ...rest } = content
      return rest
    }
  }
}

/** True if the content is valid for this kind of record. */
const isSound = (state: State, { action, of, spaceId }: ModelProposal, content: Content) => {
  const { content: text, name, profileSlug, projectId, title } = content
  if (of === "command")
    return name !== undefined && [text, profileSlug, projectId, title].every((field) => field === undefined)
  if (action === "create") return title !== undefined && projectExists(state, content, spaceId)
  // Only a proposal to create a record may contain these fields.
  return [text, profileSlug, projectId].every((field) => field === undefined)
}

export const expectedEdit = (state: State, step: Of<"edit">): Outcome => {
  const caller = callerAt(state, step.by)
  const wish = proposalAt(state, step.proposal)
  if (!canSeeProposal(state, step.by, wish)) return [absentResult, state]
  if (wish.status !== "pending") return [conflictResult("PROPOSAL_SETTLED"), state]
  if (!isReached(state, caller, wish)) return [absentResult, state]
  const content = editedContent(state.ids, wish.content, step.turn)
  if (wish.of === "entity" && content.sharing !== undefined) return [invalidResult, state]
  const next = { ...wish, content }
  const write = writeOfProposal(state, next)
  if (caller.isAgent && caller.id !== callerAt(state, wish.asker).id) return [refusedResult, state]
  if (gateVerdict(state, caller, write) === "deny") return [refusedResult, state]
  if (caller.isAgent && step.isSummarised) return [invalidResult, state]
  if (!isSound(state, wish, content)) return [invalidResult, state]
  if (caller.isAgent && content.sharing === "user") return [refusedResult, state]
  const thing = existingThing(state, wish.targetId)
  const { projectIds } = write.target
  const kind = wish.of === "entity" && wish.action === "create" ? (content.profileSlug ?? "note") : wish.kind
  const summary = step.isSummarised
    ? "In other words"
    : summaryOf(wish.of, wish.action, content, wish.action === "create" ? undefined : thing)
  // A person's edit makes the current record the base of the proposal. An agent's edit does not change the base.
  const base = caller.isAgent || thing === undefined || wish.action === "create" ? wish.base : baseOf(thing)
  return [
    okResult,
    withProposal(state, wish, {
      content,
      projectIds,
      kind,
      summary,
      base,
      editor: caller.id,
      revision: wish.revision + 1
    })
  ]
}

const hasSeen = ({ id }: ModelCaller, wish: ModelProposal, seen: Of<"approve">["seen"]) => {
  switch (seen) {
    case "nothing":
      return wish.editor === null || wish.editor === id
    case "the first content":
      return wish.firstSeen === seenContent(wish)
    case "the content":
    case "the revision":
      return true
  }
}

export const expectedApproval = (state: State, step: Of<"approve">): Outcome => {
  const caller = callerAt(state, step.by)
  const wish = proposalAt(state, step.proposal)
  if (!canSeeProposal(state, step.by, wish)) return [absentResult, state]
  if (wish.status !== "pending") return [conflictResult("PROPOSAL_SETTLED"), state]
  if (caller.isAgent) return [refusedResult, state]
  if (!isReached(state, caller, wish)) return [conflictResult("TARGET_GONE"), state]
  const write = writeOfProposal(state, wish)
  if (gateVerdict(state, caller, write) === "deny") return [refusedResult, state]
  if (!hasSeen(caller, wish, step.seen)) return [conflictResult("CONTENT_CHANGED"), state]
  const isAlive = !state.dead.includes(wish.asker)
  if (!isAlive || gateVerdict(state, callerAt(state, wish.asker), write) === "deny")
    return [conflictResult("AUTHORITY_GONE"), state]
  const thing = existingThing(state, wish.targetId)
  if (conflictsOf(wish, thing).length > 0) return [conflictResult("PROPOSAL_CONFLICT"), state]
  const done = (content: Content, before: ThingTexts | null) =>
    withProposal(state, wish, { status: "approved", written: { content, before } })
  if (wish.of === "command") {
    const ownerId = callerAt(state, wish.asker).person.id
    const command = { id: wish.targetId, spaceId: wish.spaceId, ownerId, isPrivate: wish.content.sharing === "user" }
    return [okResult, { ...done(wish.content, null), commands: [...state.commands, command] }]
  }
  if (wish.action === "create" || thing === undefined) {
    return [okResult, withNewThing(done(wish.content, null), wish.targetId, wish.spaceId, wish.kind, wish.content)]
  }
  const after = wish.action === "delete" ? {} : approvedTexts(wish, thing)
  const change = wish.action === "delete" ? { isGone: true } : after
  return [okResult, withThing(done(after, textsOf(thing)), thing, { ...change, version: thing.version + 1 })]
}

export const expectedRejection = (state: State, step: Of<"reject">): Outcome => {
  const caller = callerAt(state, step.by)
  const wish = proposalAt(state, step.proposal)
  if (!canSeeProposal(state, step.by, wish)) return [absentResult, state]
  if (wish.status !== "pending") return [conflictResult("PROPOSAL_SETTLED"), state]
  if (caller.id === callerAt(state, wish.asker).id)
    return [okResult, withProposal(state, wish, { status: "withdrawn" })]
  if (caller.isAgent) return [refusedResult, state]
  // If the record was deleted, the model uses the values that the record had when the proposal was made.
  const filed = { id: wish.targetId, spaceId: wish.spaceId, kind: wish.kind, projectIds: wish.projectIds }
  const write = isReached(state, caller, wish) ? writeOfProposal(state, wish) : writeOf(wish.of, wish.action, filed, {})
  return gateVerdict(state, caller, write) === "deny"
    ? [refusedResult, state]
    : [okResult, withProposal(state, wish, { status: "rejected" })]
}

export const expectedRevert = (state: State, step: Of<"revert">): Outcome => {
  const caller = callerAt(state, step.by)
  const wish = proposalAt(state, step.proposal)
  if (!canSeeProposal(state, step.by, wish)) return [absentResult, state]
  if (caller.isAgent) return [refusedResult, state]
  if (wish.status !== "approved" || wish.written === null) return [invalidResult, state]
  const { before, content } = wish.written
  const done = withProposal(state, wish, { status: "reverted" })
  if (wish.of === "command") {
    const command = state.commands.find(({ id }) => id === wish.targetId)
    const target = { id: wish.targetId, spaceId: wish.spaceId, kind: unnamedKind, projectIds: [] }
    const isOthers = command?.isPrivate === true && command.ownerId !== caller.person.id
    if (command === undefined || isOthers) return [conflictResult("TARGET_GONE"), state]
    if (gateVerdict(state, caller, writeOf("command", "delete", target, {})) === "deny") return [refusedResult, state]
    return [okResult, { ...done, commands: state.commands.filter((each) => each !== command) }]
  }
  const thing = state.things.find(({ id }) => id === wish.targetId)
  const inverse = wish.action === "create" ? "delete" : "update"
  if (thing === undefined) return [conflictResult("TARGET_GONE"), state]
  if (wish.action === "delete") {
    const filed = { ...rowOf(thing), projectIds: wish.projectIds }
    if (gateVerdict(state, caller, writeOf("entity", "update", filed, {})) === "deny") return [refusedResult, state]
    return [okResult, withThing(done, thing, { isGone: false, version: thing.version + 1 })]
  }
  if (!isReached(state, caller, { ...wish, action: inverse })) return [conflictResult("TARGET_GONE"), state]
  const besides = inverse === "delete" && content.content !== undefined ? { content: content.content } : {}
  if (gateVerdict(state, caller, writeOf("entity", inverse, rowOf(thing), besides)) === "deny")
    return [refusedResult, state]
  const isTouched = (["title", "description"] as const).some(
    (name) => content[name] !== undefined && content[name] !== thing[name]
  )
  if (isTouched) return [conflictResult("REVERT_CONFLICT"), state]
  const change =
    inverse === "delete"
      ? { isGone: true }
      : Object.fromEntries(Object.keys(content).map((name) => [name, before?.[name as keyof ThingTexts] ?? null]))
  return [okResult, withThing(done, thing, { ...change, version: thing.version + 1 })]
}
