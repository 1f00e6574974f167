/** The model of proposals: for each step the expected answer, and the state after it. */
import { unnamedKind } from "../../../doors/model.ts"
import { expectedApproval, expectedEdit, expectedRejection, expectedRevert } from "./decisions.ts"
import {
  baseOf,
  withNewThing,
  type CreatedIds,
  projectExists,
  type Of,
  type Outcome,
  spaceOf,
  summaryOf,
  thingAt,
  withThing
} from "./outcomes.ts"
import type { Ids } from "./smallWorld.ts"
import { type Content, type State, existingThing, callerAt, type ModelProposal } from "./state.ts"
import type { CreateFields, Step } from "./steps.ts"
import {
  absentResult,
  writeOfProposal,
  stepResult,
  isReached,
  gateVerdict,
  okResult,
  refusedResult,
  rowOf,
  seenContent,
  writeOf,
  invalidResult
} from "./modelProposals.ts"

const asked = (
  state: State,
  by: number,
  made: CreatedIds,
  wish: Pick<ModelProposal, "action" | "content" | "kind" | "of" | "spaceId" | "targetId">
): State => {
  const thing = wish.action === "create" ? undefined : existingThing(state, wish.targetId)
  const base = thing === undefined ? null : baseOf(thing)
  const { projectIds } = writeOfProposal(state, wish).target
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
        firstSeen: seenContent(rest),
        written: null
      }
    ]
  }
}

const updated = (state: State, step: Of<"update" | "fileUpdate">, made: CreatedIds): Outcome => {
  const caller = callerAt(state, step.by)
  const thing = thingAt(state, step.thing)
  const isByHand = step.does === "fileUpdate"
  if (isByHand && !caller.isAgent) return [refusedResult, state]
  const content = { [step.field]: step.value }
  const wish = {
    of: "entity",
    action: "update",
    targetId: thing.id,
    spaceId: thing.spaceId,
    kind: thing.kind,
    content
  } as const
  if (!isReached(state, caller, wish)) return [absentResult, state]
  const verdict = gateVerdict(state, caller, {
    ...writeOf("entity", "update", rowOf(thing), content),
    isForced: isByHand
  })
  if (verdict === "deny") return [refusedResult, state]
  // A change that changes nothing writes nothing. A proposal that an agent files itself is always stored.
  if (!isByHand && thing[step.field] === step.value) return [okResult, state]
  if (verdict === "propose") return [isByHand ? okResult : stepResult("proposed"), asked(state, step.by, made, wish)]
  return [okResult, withThing(state, thing, { ...content, version: thing.version + 1 })]
}

const deleted = (state: State, step: Of<"delete" | "fileDelete">, made: CreatedIds): Outcome => {
  const caller = callerAt(state, step.by)
  const thing = thingAt(state, step.thing)
  const isByHand = step.does === "fileDelete"
  if (isByHand && !caller.isAgent) return [refusedResult, state]
  const wish = {
    of: "entity",
    action: "delete",
    targetId: thing.id,
    spaceId: thing.spaceId,
    kind: thing.kind,
    content: {}
  } as const
  if (!isReached(state, caller, wish)) return [absentResult, state]
  const verdict = gateVerdict(state, caller, { ...writeOf("entity", "delete", rowOf(thing), {}), isForced: isByHand })
  if (verdict === "deny") return [refusedResult, state]
  if (verdict === "propose") return [isByHand ? okResult : stepResult("proposed"), asked(state, step.by, made, wish)]
  return [okResult, withThing(state, thing, { isGone: true, version: thing.version + 1 })]
}

export const contentOf = (ids: Ids, { kind, project, text, title }: CreateFields): Content => ({
  profileSlug: kind,
  title,
  ...(project === undefined ? {} : { projectId: ids.projects[project] }),
  ...(text === undefined ? {} : { content: text })
})

const created = (state: State, step: Of<"create" | "fileCreate">, made: CreatedIds): Outcome => {
  const caller = callerAt(state, step.by)
  const isByHand = step.does === "fileCreate"
  if (isByHand && !caller.isAgent) return [refusedResult, state]
  const spaceId = spaceOf(state, caller, step.making.space)
  // A direct create sends null for every field that the request leaves out.
  const content = { ...contentOf(state.ids, step.making), ...(isByHand ? {} : { description: null }) }
  const { kind } = step.making
  const wish = { of: "entity", action: "create", targetId: made.id, spaceId, kind, content } as const
  const verdict = gateVerdict(state, caller, { ...writeOfProposal(state, wish), isForced: isByHand })
  if (verdict === "deny") return [refusedResult, state]
  if (!projectExists(state, content, spaceId)) return [invalidResult, state]
  if (verdict === "propose") return [isByHand ? okResult : stepResult("proposed"), asked(state, step.by, made, wish)]
  return [okResult, withNewThing(state, made.id, spaceId, kind, content)]
}

const commanded = (state: State, step: Of<"command">, made: CreatedIds): Outcome => {
  const caller = callerAt(state, step.by)
  const spaceId = state.ids.spaces.shared
  const content = { name: step.name, sharing: step.isPrivate ? "user" : "space", description: null }
  const wish = { of: "command", action: "create", targetId: made.id, spaceId, kind: unnamedKind, content } as const
  const verdict = gateVerdict(state, caller, writeOfProposal(state, wish))
  // A private command of an agent cannot be proposed, because other members would see the proposal.
  if (verdict === "deny" || (caller.isAgent && step.isPrivate)) return [refusedResult, state]
  if (verdict === "propose") return [stepResult("proposed"), asked(state, step.by, made, wish)]
  const command = { id: made.id, spaceId, ownerId: caller.person.id, isPrivate: step.isPrivate }
  return [okResult, { ...state, commands: [...state.commands, command] }]
}

/**
 * Puts an entity in a project, or takes the entity out of the project. The caller is always the signed-in person Ann.
 */
const filed = (state: State, step: Of<"fileIn" | "takeOut">): Outcome => {
  const ann = callerAt(state, 0)
  const thing = thingAt(state, step.thing)
  const project = state.ids.projects[step.project]
  const isIn = thing.projectIds.includes(project)
  if (thing.isGone || !ann.person.roles.has(thing.spaceId)) return [absentResult, state]
  if (step.does === "takeOut") {
    return isIn
      ? [okResult, withThing(state, thing, { projectIds: thing.projectIds.filter((id) => id !== project) })]
      : [absentResult, state]
  }
  if (isIn) return [okResult, state]
  if (ann.person.roles.get(thing.spaceId) === "viewer") return [refusedResult, state]
  return [okResult, withThing(state, thing, { projectIds: [...thing.projectIds, project] })]
}

export const expectedStep = (state: State, step: Step, made: CreatedIds): Outcome => {
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
      return expectedEdit(state, step)
    case "approve":
      return expectedApproval(state, step)
    case "reject":
      return expectedRejection(state, step)
    case "revert":
      return expectedRevert(state, step)
    case "fileIn":
    case "takeOut":
      return filed(state, step)
    case "rule": {
      const { kind, pattern, says } = step
      return [okResult, { ...state, rules: [...state.rules, { of: "action", id: made.id, kind, pattern, says }] }]
    }
    case "forgetRule":
      return [okResult, { ...state, rules: state.rules.filter((_, at) => at !== step.rule % state.rules.length) }]
    case "capabilities":
      return [okResult, { ...state, capabilities: step.capabilities }]
    case "revokeKey":
      return [okResult, { ...state, dead: [...state.dead, step.of] }]
  }
}
