/** Edits of proposals and decisions on them, in the model. The model calls a proposal a wish. */
import { unheardKind } from "../../../doors/model.ts"
import {
  baseOf,
  born,
  namesWhatIsThere,
  type Of,
  type Outcome,
  rewished,
  summaryOf,
  wishAt,
  within,
  words
} from "./outcomes.ts"
import {
  absent,
  asWrite,
  conflict,
  conflictsOf,
  isReached,
  judged,
  laidOver,
  ok,
  refused,
  rowOf,
  seenIn,
  seesWish,
  writeOf,
  wrong
} from "./wishes.ts"
import { type Content, type State, there, who, type Who, type Wish, type Words } from "./state.ts"
import type { Turn } from "./steps.ts"
import type { Ids } from "./smallWorld.ts"

/** The content after an edit, with the field names of the wire. */
export const turned = (ids: Ids, content: Content, turn: Turn): Content => {
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

/** Whether the content is valid for its kind of record. */
const isSound = (state: State, { action, of, spaceId }: Wish, content: Content) => {
  const { content: text, name, profileSlug, projectId, title } = content
  if (of === "command")
    return name !== undefined && [text, profileSlug, projectId, title].every((said) => said === undefined)
  if (action === "create") return title !== undefined && namesWhatIsThere(state, content, spaceId)
  // Only a create may contain these fields.
  return [text, profileSlug, projectId].every((said) => said === undefined)
}

export const edited = (state: State, step: Of<"edit">): Outcome => {
  const caller = who(state, step.by)
  const wish = wishAt(state, step.proposal)
  if (!seesWish(state, step.by, wish)) return [absent, state]
  if (wish.status !== "pending") return [conflict("PROPOSAL_SETTLED"), state]
  if (!isReached(state, caller, wish)) return [absent, state]
  const content = turned(state.ids, wish.content, step.turn)
  if (wish.of === "entity" && content.sharing !== undefined) return [wrong, state]
  const next = { ...wish, content }
  const write = asWrite(state, next)
  if (caller.isAgent && caller.id !== who(state, wish.asker).id) return [refused, state]
  if (judged(state, caller, write) === "deny") return [refused, state]
  if (caller.isAgent && step.isSummarised) return [wrong, state]
  if (!isSound(state, wish, content)) return [wrong, state]
  if (caller.isAgent && content.sharing === "user") return [refused, state]
  const thing = there(state, wish.targetId)
  const { projectIds } = write.target
  const kind = wish.of === "entity" && wish.action === "create" ? (content.profileSlug ?? "note") : wish.kind
  const summary = step.isSummarised
    ? "In other words"
    : summaryOf(wish.of, wish.action, content, wish.action === "create" ? undefined : thing)
  // A person's edit starts from the current record; an agent's edit keeps the base of the proposal.
  const base = caller.isAgent || thing === undefined || wish.action === "create" ? wish.base : baseOf(thing)
  return [
    ok,
    rewished(state, wish, { content, projectIds, kind, summary, base, editor: caller.id, revision: wish.revision + 1 })
  ]
}

const hasSeen = ({ id }: Who, wish: Wish, seen: Of<"approve">["seen"]) => {
  switch (seen) {
    case "nothing":
      return wish.editor === null || wish.editor === id
    case "the first content":
      return wish.firstSeen === seenIn(wish)
    case "the content":
    case "the revision":
      return true
  }
}

export const approved = (state: State, step: Of<"approve">): Outcome => {
  const caller = who(state, step.by)
  const wish = wishAt(state, step.proposal)
  if (!seesWish(state, step.by, wish)) return [absent, state]
  if (wish.status !== "pending") return [conflict("PROPOSAL_SETTLED"), state]
  if (caller.isAgent) return [refused, state]
  if (!isReached(state, caller, wish)) return [conflict("TARGET_GONE"), state]
  const write = asWrite(state, wish)
  if (judged(state, caller, write) === "deny") return [refused, state]
  if (!hasSeen(caller, wish, step.seen)) return [conflict("CONTENT_CHANGED"), state]
  const isAlive = !state.dead.includes(wish.asker)
  if (!isAlive || judged(state, who(state, wish.asker), write) === "deny") return [conflict("AUTHORITY_GONE"), state]
  const thing = there(state, wish.targetId)
  if (conflictsOf(wish, thing).length > 0) return [conflict("PROPOSAL_CONFLICT"), state]
  const done = (content: Content, before: Words | null) =>
    rewished(state, wish, { status: "approved", written: { content, before } })
  if (wish.of === "command") {
    const ownerId = who(state, wish.asker).person.id
    const command = { id: wish.targetId, spaceId: wish.spaceId, ownerId, isPrivate: wish.content.sharing === "user" }
    return [ok, { ...done(wish.content, null), commands: [...state.commands, command] }]
  }
  if (wish.action === "create" || thing === undefined) {
    return [ok, born(done(wish.content, null), wish.targetId, wish.spaceId, wish.kind, wish.content)]
  }
  const after = wish.action === "delete" ? {} : laidOver(wish, thing)
  const change = wish.action === "delete" ? { isGone: true } : after
  return [ok, within(done(after, words(thing)), thing, { ...change, version: thing.version + 1 })]
}

export const rejected = (state: State, step: Of<"reject">): Outcome => {
  const caller = who(state, step.by)
  const wish = wishAt(state, step.proposal)
  if (!seesWish(state, step.by, wish)) return [absent, state]
  if (wish.status !== "pending") return [conflict("PROPOSAL_SETTLED"), state]
  if (caller.id === who(state, wish.asker).id) return [ok, rewished(state, wish, { status: "withdrawn" })]
  if (caller.isAgent) return [refused, state]
  // If the record is gone, the model knows only what was filed.
  const filed = { id: wish.targetId, spaceId: wish.spaceId, kind: wish.kind, projectIds: wish.projectIds }
  const write = isReached(state, caller, wish) ? asWrite(state, wish) : writeOf(wish.of, wish.action, filed, {})
  return judged(state, caller, write) === "deny"
    ? [refused, state]
    : [ok, rewished(state, wish, { status: "rejected" })]
}

export const reverted = (state: State, step: Of<"revert">): Outcome => {
  const caller = who(state, step.by)
  const wish = wishAt(state, step.proposal)
  if (!seesWish(state, step.by, wish)) return [absent, state]
  if (caller.isAgent) return [refused, state]
  if (wish.status !== "approved" || wish.written === null) return [wrong, state]
  const { before, content } = wish.written
  const done = rewished(state, wish, { status: "reverted" })
  if (wish.of === "command") {
    const command = state.commands.find(({ id }) => id === wish.targetId)
    const target = { id: wish.targetId, spaceId: wish.spaceId, kind: unheardKind, projectIds: [] }
    const isOthers = command?.isPrivate === true && command.ownerId !== caller.person.id
    if (command === undefined || isOthers) return [conflict("TARGET_GONE"), state]
    if (judged(state, caller, writeOf("command", "delete", target, {})) === "deny") return [refused, state]
    return [ok, { ...done, commands: state.commands.filter((each) => each !== command) }]
  }
  const thing = state.things.find(({ id }) => id === wish.targetId)
  const inverse = wish.action === "create" ? "delete" : "update"
  if (thing === undefined) return [conflict("TARGET_GONE"), state]
  if (wish.action === "delete") {
    const filed = { ...rowOf(thing), projectIds: wish.projectIds }
    if (judged(state, caller, writeOf("entity", "update", filed, {})) === "deny") return [refused, state]
    return [ok, within(done, thing, { isGone: false, version: thing.version + 1 })]
  }
  if (!isReached(state, caller, { ...wish, action: inverse })) return [conflict("TARGET_GONE"), state]
  const besides = inverse === "delete" && content.content !== undefined ? { content: content.content } : {}
  if (judged(state, caller, writeOf("entity", inverse, rowOf(thing), besides)) === "deny") return [refused, state]
  const isTouched = (["title", "description"] as const).some(
    (name) => content[name] !== undefined && content[name] !== thing[name]
  )
  if (isTouched) return [conflict("REVERT_CONFLICT"), state]
  const change =
    inverse === "delete"
      ? { isGone: true }
      : Object.fromEntries(Object.keys(content).map((name) => [name, before?.[name as keyof Words] ?? null]))
  return [ok, within(done, thing, { ...change, version: thing.version + 1 })]
}
