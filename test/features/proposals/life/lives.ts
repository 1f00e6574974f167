/** The model of proposals: for each step the expected answer, and the state after it. */
import { unheardKind } from "../../../doors/model.ts"
import { approved, edited, rejected, reverted } from "./decisions.ts"
import {
  baseOf,
  born,
  type Made,
  namesWhatIsThere,
  type Of,
  type Outcome,
  spaceOf,
  summaryOf,
  thingAt,
  within
} from "./outcomes.ts"
import type { Ids } from "./smallWorld.ts"
import { type Content, type State, there, who, type Wish } from "./state.ts"
import type { Making, Step } from "./steps.ts"
import { absent, asWrite, heard, isReached, judged, ok, refused, rowOf, seenIn, writeOf, wrong } from "./wishes.ts"

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
  // A direct create sends null for every field that the request leaves out.
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
  // A private command of an agent cannot be proposed, because other members would see the proposal.
  if (verdict === "deny" || (caller.isAgent && step.isPrivate)) return [refused, state]
  if (verdict === "propose") return [heard("proposed"), asked(state, step.by, made, wish)]
  const command = { id: made.id, spaceId, ownerId: caller.person.id, isPrivate: step.isPrivate }
  return [ok, { ...state, commands: [...state.commands, command] }]
}

/** Ann does this step, signed in. */
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
      return rejected(state, step)
    case "revert":
      return reverted(state, step)
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
