/** The model of proposals' lives: for each step what must be heard, and the world after it. */
import {
  absent,
  asWrite,
  conflict,
  conflictsOf,
  type Heard,
  heard,
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
} from "./model.ts"
import { unheardKind } from "../../../doors/model.ts"
import { type Content, type State, there, type Thing, who, type Who, type Wish, type Words } from "./state.ts"
import type { Making, Step, Turn } from "./steps.ts"
import type { Ids } from "./world.ts"

/** The ids of what the pod made at a step. */
export interface Made {
  readonly id: string
  readonly proposalId: string
}

type Outcome = readonly [Heard, State]
type Of<D extends Step["does"]> = Step & { readonly does: D }

export const thingAt = ({ things }: State, at: number): Thing => things[Math.min(at, things.length - 1)]
/** Counted from the latest. */
export const wishAt = ({ wishes }: State, at: number): Wish => wishes[Math.max(0, wishes.length - 1 - at)]

const within = (state: State, of: Thing, change: Partial<Thing>): State => ({
  ...state,
  things: state.things.map((thing) => (thing === of ? { ...thing, ...change } : thing))
})
const rewished = (state: State, of: Wish, change: Partial<Wish>): State => ({
  ...state,
  wishes: state.wishes.map((wish) => (wish === of ? { ...wish, ...change } : wish))
})

const words = ({ description, title }: Words): Words => ({ title, description })
const baseOf = (thing: Thing) => ({ version: thing.version, words: words(thing) })

const summaryOf = (of: Wish["of"], action: Wish["action"], content: Content, thing: Thing | undefined): string => {
  if (of === "command") return `Create command “${content.name}”`
  if (thing === undefined) return `Create ${content.profileSlug ?? "note"} “${content.title}”`
  return `${action === "update" ? "Change" : "Delete"} ${thing.kind} “${thing.title}”`
}

const spaceOf = (state: State, { person }: Who, space: Making["space"]) =>
  space === "home" ? person.id : state.ids.spaces[space]

/** Whether what a content names of projects is there, in the space of the record. */
const namesWhatIsThere = ({ ids }: State, content: Content, spaceId: string) =>
  content.projectId === undefined || spaceId === ids.spaces.shared

const asked = (
  state: State,
  by: number,
  made: Made,
  wish: Pick<Wish, "action" | "content" | "kind" | "of" | "spaceId" | "targetId">
): State => {
  const thing = wish.action === "create" ? undefined : there(state, wish.targetId)
  const base = thing === undefined ? null : baseOf(thing)
  const { projectIds } = asWrite(state, wish).target
  const rest = { base, projectIds, content: wish.content, kind: wish.kind }
  return {
    ...state,
    wishes: [
      ...state.wishes,
      {
        ...wish,
        ...rest,
        id: made.proposalId,
        summary: summaryOf(wish.of, wish.action, wish.content, thing),
        asker: by,
        editor: null,
        revision: 1,
        status: "pending",
        firstSeen: seenIn(rest),
        written: null
      }
    ]
  }
}

const born = (state: State, id: string, spaceId: string, kind: string, content: Content): State => ({
  ...state,
  things: [
    ...state.things,
    {
      id,
      spaceId,
      kind,
      projectIds: content.projectId === undefined ? [] : [content.projectId],
      title: content.title ?? "",
      description: content.description ?? null,
      version: 1,
      isGone: false
    }
  ]
})

const updated = (state: State, step: Of<"update" | "fileUpdate">, made: Made): Outcome => {
  const caller = who(state, step.by)
  const thing = thingAt(state, step.thing)
  const isByHand = step.does === "fileUpdate"
  if (isByHand && !caller.isAgent) return [refused, state]
  const content = { [step.field]: step.value }
  const wish = {
    of: "entity",
    action: "update",
    targetId: thing.id,
    spaceId: thing.spaceId,
    kind: thing.kind,
    content
  } as const
  if (!isReached(state, caller, wish)) return [absent, state]
  const verdict = judged(state, caller, { ...writeOf("entity", "update", rowOf(thing), content), isForced: isByHand })
  if (verdict === "deny") return [refused, state]
  if (verdict === "propose") return [isByHand ? ok : heard("proposed"), asked(state, step.by, made, wish)]
  return [ok, within(state, thing, { ...content, version: thing.version + 1 })]
}

const deleted = (state: State, step: Of<"delete" | "fileDelete">, made: Made): Outcome => {
  const caller = who(state, step.by)
  const thing = thingAt(state, step.thing)
  const isByHand = step.does === "fileDelete"
  if (isByHand && !caller.isAgent) return [refused, state]
  const wish = {
    of: "entity",
    action: "delete",
    targetId: thing.id,
    spaceId: thing.spaceId,
    kind: thing.kind,
    content: {}
  } as const
  if (!isReached(state, caller, wish)) return [absent, state]
  const verdict = judged(state, caller, { ...writeOf("entity", "delete", rowOf(thing), {}), isForced: isByHand })
  if (verdict === "deny") return [refused, state]
  if (verdict === "propose") return [isByHand ? ok : heard("proposed"), asked(state, step.by, made, wish)]
  return [ok, within(state, thing, { isGone: true, version: thing.version + 1 })]
}

export const contentOf = (ids: Ids, { kind, project, text, title }: Making): Content => ({
  profileSlug: kind,
  title,
  ...(project === undefined ? {} : { projectId: ids.projects[project] }),
  ...(text === undefined ? {} : { content: text })
})

const created = (state: State, step: Of<"create" | "fileCreate">, made: Made): Outcome => {
  const caller = who(state, step.by)
  const isByHand = step.does === "fileCreate"
  if (isByHand && !caller.isAgent) return [refused, state]
  const spaceId = spaceOf(state, caller, step.making.space)
  // Said directly, it says of everything that it is not there.
  const content = { ...contentOf(state.ids, step.making), ...(isByHand ? {} : { description: null }) }
  const { kind } = step.making
  const wish = { of: "entity", action: "create", targetId: made.id, spaceId, kind, content } as const
  const verdict = judged(state, caller, { ...asWrite(state, wish), isForced: isByHand })
  if (verdict === "deny") return [refused, state]
  if (!namesWhatIsThere(state, content, spaceId)) return [wrong, state]
  if (verdict === "propose") return [isByHand ? ok : heard("proposed"), asked(state, step.by, made, wish)]
  return [ok, born(state, made.id, spaceId, kind, content)]
}

const commanded = (state: State, step: Of<"command">, made: Made): Outcome => {
  const caller = who(state, step.by)
  const spaceId = state.ids.spaces.shared
  const content = { name: step.name, sharing: step.isPrivate ? "user" : "space", description: null }
  const wish = { of: "command", action: "create", targetId: made.id, spaceId, kind: unheardKind, content } as const
  const verdict = judged(state, caller, asWrite(state, wish))
  // What nobody else may know cannot wait where others look.
  if (verdict === "deny" || (caller.isAgent && step.isPrivate)) return [refused, state]
  if (verdict === "propose") return [heard("proposed"), asked(state, step.by, made, wish)]
  const command = { id: made.id, spaceId, ownerId: caller.person.id, isPrivate: step.isPrivate }
  return [ok, { ...state, commands: [...state.commands, command] }]
}

/** The content after an edit. The names are those of the wire. */
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

/** Whether a content is one of its kind at all. */
const isSound = (state: State, { action, of, spaceId }: Wish, content: Content) => {
  const { content: text, name, profileSlug, projectId, title } = content
  if (of === "command")
    return name !== undefined && [text, profileSlug, projectId, title].every((said) => said === undefined)
  if (action === "create") return title !== undefined && namesWhatIsThere(state, content, spaceId)
  // What is said where an entity is made is said nowhere else.
  return [text, profileSlug, projectId].every((said) => said === undefined)
}

const edited = (state: State, step: Of<"edit">): Outcome => {
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
  // Only a person saw what became of the record meanwhile.
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

const approved = (state: State, step: Of<"approve">): Outcome => {
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

const rejected = (state: State, step: Of<"reject">): Outcome => {
  const caller = who(state, step.by)
  const wish = wishAt(state, step.proposal)
  if (!seesWish(state, step.by, wish)) return [absent, state]
  if (wish.status !== "pending") return [conflict("PROPOSAL_SETTLED"), state]
  if (caller.id === who(state, wish.asker).id) return [ok, rewished(state, wish, { status: "withdrawn" })]
  if (caller.isAgent) return [refused, state]
  // Of what is gone nothing else is known than what was filed.
  const filed = { id: wish.targetId, spaceId: wish.spaceId, kind: wish.kind, projectIds: wish.projectIds }
  const write = isReached(state, caller, wish) ? asWrite(state, wish) : writeOf(wish.of, wish.action, filed, {})
  return judged(state, caller, write) === "deny"
    ? [refused, state]
    : [ok, rewished(state, wish, { status: "rejected" })]
}

const reverted = (state: State, step: Of<"revert">): Outcome => {
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

/** By Ann, signed in. */
const filed = (state: State, step: Of<"fileIn" | "takeOut">): Outcome => {
  const ann = who(state, 0)
  const thing = thingAt(state, step.thing)
  const project = state.ids.projects[step.project]
  const isIn = thing.projectIds.includes(project)
  if (thing.isGone || !ann.person.roles.has(thing.spaceId)) return [absent, state]
  if (step.does === "takeOut") {
    return isIn
      ? [ok, within(state, thing, { projectIds: thing.projectIds.filter((id) => id !== project) })]
      : [absent, state]
  }
  if (isIn) return [ok, state]
  if (ann.person.roles.get(thing.spaceId) === "viewer") return [refused, state]
  return [ok, within(state, thing, { projectIds: [...thing.projectIds, project] })]
}

export const lived = (state: State, step: Step, made: Made): Outcome => {
  switch (step.does) {
    case "update":
    case "fileUpdate":
      return updated(state, step, made)
    case "delete":
    case "fileDelete":
      return deleted(state, step, made)
    case "create":
    case "fileCreate":
      return created(state, step, made)
    case "command":
      return commanded(state, step, made)
    case "edit":
      return edited(state, step)
    case "approve":
      return approved(state, step)
    case "reject":
      return rejected(state, step as Of<"reject">)
    case "revert":
      return reverted(state, step as Of<"revert">)
    case "fileIn":
    case "takeOut":
      return filed(state, step)
    case "rule": {
      const { kind, pattern, says } = step
      return [ok, { ...state, rules: [...state.rules, { of: "action", id: made.id, kind, pattern, says }] }]
    }
    case "forgetRule":
      return [ok, { ...state, rules: state.rules.filter((_, at) => at !== step.rule % state.rules.length) }]
    case "capabilities":
      return [ok, { ...state, capabilities: step.held }]
    case "revokeKey":
      return [ok, { ...state, dead: [...state.dead, step.of] }]
  }
}

export { words }
