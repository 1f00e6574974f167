/** Runs one sequence in the pod and in the model. Throws if they differ in an answer, or in what a caller sees. */
import { isDeepStrictEqual } from "node:util"
import type { PodInProcess } from "../../../support/podInProcess.ts"
import type { Proposal } from "../../../../src/features/proposals/Proposal.ts"
import { type CallResponse, aReality, type Reality, textOf } from "./reality.ts"
import { initialState, type State, existingThing, type ModelProposal } from "./state.ts"
import { contentOf, expectedStep } from "./expectedStep.ts"
import { editedContent } from "./decisions.ts"
import { type CreatedIds, thingAt, proposalAt } from "./outcomes.ts"
import { visibleCommands, conflictsOf, canSeeProposal, visibleThings } from "./modelProposals.ts"
import type { CreateFields, Step } from "./steps.ts"
import { callerSpecs } from "./smallWorld.ts"

const worldsMax = 10 // After this many test worlds, the test clears the stores that these worlds share.

/**
 * Returns the callers who make requests, because these callers need keys. To find out what a caller sees, the test
 * needs no key.
 */
const callersOf = (steps: ReadonlyArray<Step>) =>
  new Set(steps.flatMap((step) => ("by" in step ? [step.by] : step.does === "revokeKey" ? [step.of] : [])))

/** Sends one step to the pod. Returns undefined if there is nothing that the step can apply to. */
const asked = (reality: Reality, state: State, step: Step): CallResponse | undefined => {
  const { call, ids } = reality
  const body = (name: string, path: object, payload: object) =>
    call("by" in step ? step.by : 0, name, { path, query: {}, body: payload })
  const inSpace = (spaceId: string) =>
    spaceId === ids.people.ann || spaceId === ids.people.ben ? {} : { workspaceId: spaceId }
  const spaceOf = (making: CreateFields) => (making.space === "home" ? {} : { workspaceId: ids.spaces[making.space] })
  const proposalOf = (at: number) => proposalAt(state, at).id
  const filing = (proposalType: string, data: object, more: object) =>
    body("proposals.file", {}, { targetType: "entity", proposalType, data, ...more })
  if ("proposal" in step && state.wishes.length === 0) return undefined
  switch (step.does) {
    case "update":
      return body("entities.update", { id: thingAt(state, step.thing).id }, { [step.field]: step.value })
    case "delete":
      return body("entities.delete", { id: thingAt(state, step.thing).id }, {})
    case "create": {
      const { content, profileSlug, projectId, title } = contentOf(ids, step.making)
      return body("entities.create", {}, { ...spaceOf(step.making), profileSlug, title, projectId, content })
    }
    case "fileUpdate": {
      const { id, spaceId } = thingAt(state, step.thing)
      return filing("update", { [step.field]: step.value }, { targetId: id, ...inSpace(spaceId) })
    }
    case "fileDelete": {
      const { id, spaceId } = thingAt(state, step.thing)
      return filing("delete", {}, { targetId: id, ...inSpace(spaceId) })
    }
    case "fileCreate":
      return filing("create", contentOf(ids, step.making), spaceOf(step.making))
    case "command": {
      const sharing = step.isPrivate ? "user" : "space"
      return body("commands.create", {}, { workspaceId: ids.spaces.shared, name: step.name, sharing })
    }
    case "edit": {
      const id = proposalOf(step.proposal)
      const now = keptProposal(reality, id)
      const data = editedContent(ids, now.data["data"] as object, step.turn)
      return body("proposals.edit", { id }, { data, ...(step.isSummarised ? { summary: "In other words" } : {}) })
    }
    case "approve": {
      const id = proposalOf(step.proposal)
      const { contentHash, revision } = keptProposal(reality, id)
      const first = reality.firstHash(id)
      const seen = {
        nothing: {},
        "the content": { contentHash },
        "the first content": { contentHash: first },
        "the revision": { expectedRevision: revision }
      }
      return body("proposals.approve", { id }, seen[step.seen])
    }
    case "reject":
      return body("proposals.reject", { id: proposalOf(step.proposal) }, {})
    case "revert":
      return body("proposals.revert", { id: proposalOf(step.proposal) }, {})
    case "fileIn":
      return body("projects.file", { id: ids.projects[step.project] }, { entityIds: [thingAt(state, step.thing).id] })
    case "takeOut":
      return body("projects.unfile", { id: ids.projects[step.project], entityId: thingAt(state, step.thing).id }, {})
    case "rule": {
      const rule = { scopeKind: "workspace", workspaceId: ids.spaces.shared, targetKind: "action", verdict: step.says }
      const about = { targetPattern: step.pattern, ...(step.kind === null ? {} : { targetProfile: step.kind }) }
      return call(0, "governanceRules.create", { ...rule, ...about })
    }
    case "forgetRule": {
      const { rules } = state
      return rules.length === 0
        ? undefined
        : call(0, "governanceRules.revoke", { ruleId: rules[step.rule % rules.length].id })
    }
    case "capabilities":
      return call(0, "agents.update", { agentId: ids.agents.ann, capabilities: step.capabilities })
    case "revokeKey": {
      const { grant, person } = callerSpecs[step.of]
      const isDead = grant === null || state.dead.includes(step.of)
      return isDead ? undefined : call(person === "ann" ? 0 : 1, "apiKeys.revoke", { keyId: reality.keyIds[step.of] })
    }
  }
}

/** Returns the proposal with all its fields, as the person who owns it reads it. */
const keptProposal = (reality: Reality, id: string) => reality.kept(id)

const madeBy = (step: Step, { answer, status }: CallResponse): CreatedIds => {
  const fields = (answer ?? {}) as { readonly [name: string]: unknown }
  const id = fields["proposedId"] ?? fields["ruleId"] ?? fields["id"]
  return {
    id: status === "ok" || status === "proposed" ? textOf(id) : "",
    proposalId: textOf(fields["proposalId"])
  }
}

const shown = ({ content, revision, status, summary }: ModelProposal) => ({
  content: Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && value !== null)),
  revision,
  status,
  summary
})

const contentNames = ["title", "description", "profileSlug", "projectId", "content", "name", "sharing"]

const compared = (what: string, seen: unknown, expected: unknown) => {
  if (isDeepStrictEqual(seen, expected)) return
  throw new Error(`${what}: the pod says ${JSON.stringify(seen)}, the model ${JSON.stringify(expected)}`)
}

const proposalFields = ({ data, revision, status, summary }: Proposal) => {
  const content = data["data"] as Readonly<Record<string, unknown>>
  const shownContent = Object.fromEntries(
    contentNames.filter((each) => content[each] != null).map((each) => [each, content[each]])
  )
  return { content: shownContent, revision, status, summary }
}

/** Compares what every caller sees in the pod and in the model. */
const look = (reality: Reality, state: State) => {
  const callers = [...callerSpecs.keys()].filter((by) => !state.dead.includes(by))
  const entities = reality.entitiesFor(callers)
  const proposals = state.wishes.length === 0 ? [] : reality.proposalsFor(callers)
  const commands = state.commands.length === 0 ? [] : reality.commandsFor(callers)
  for (const [at, by] of callers.entries()) {
    const { name } = callerSpecs[by]
    const wishes = state.wishes.filter((wish) => canSeeProposal(state, by, wish))
    compared(
      `the proposals that ${name} sees`,
      proposals[at]?.map(({ id }) => id) ?? [],
      wishes.map(({ id }) => id).toReversed()
    )
    for (const [index, wish] of wishes.entries()) {
      const proposal = proposals[at][wishes.length - 1 - index]
      compared(`the proposal as ${name} reads it`, proposalFields(proposal), shown(wish))
    }
    const read = entities[at].map(
      ({ description, id, profileSlug, title, version }) => `${id} ${profileSlug} ${title} ${description} ${version}`
    )
    const things = visibleThings(state, by).map(
      ({ description, id, kind, title, version }) => `${id} ${kind} ${title} ${description} ${version}`
    )
    compared(`the entities that ${name} sees`, read.toSorted(), things.toSorted())
    const called = commands[at]?.map(({ id }) => id) ?? []
    compared(`the commands that ${name} sees`, called.toSorted(), visibleCommands(state, by).toSorted())
  }
}

/** Compares the conflicts that the pod and the model show to the person Ann for this proposal. */
const collides = (reality: Reality, state: State, wish: ModelProposal) => {
  if (wish.status !== "pending" || !canSeeProposal(state, 0, wish)) return
  const seen = visibleThings(state, 0).find(({ id }) => id === wish.targetId)
  const { conflicts = [] } = reality.detailFor(0, wish.id) ?? {}
  const expected = conflictsOf(wish, seen === undefined ? undefined : existingThing(state, wish.targetId))
  compared("the conflicts of a proposal", conflicts.map(({ path }) => path.join(".")).toSorted(), expected.toSorted())
}

export interface SequenceRunner {
  /** Throws at the first difference. Returns each step that was done, with the status of its answer. */
  readonly live: (steps: ReadonlyArray<Step>) => ReadonlyArray<string>
}

export const aSequenceRunner = (pod: PodInProcess): SequenceRunner => {
  let worlds = 0
  return {
    live: (steps) => {
      if (worlds++ % worldsMax === 0) pod.clear()
      const reality = aReality(pod, callersOf(steps))
      let state = initialState(reality.ids)
      const outcomes: Array<string> = []
      for (const step of steps) {
        if ("by" in step && state.dead.includes(step.by)) continue
        const before = reality.eventCount()
        const answered = asked(reality, state, step)
        if (answered === undefined) continue
        const of = "proposal" in step ? proposalAt(state, step.proposal).id : madeBy(step, answered).proposalId
        const [expected, next] = expectedStep(state, step, madeBy(step, answered))
        const { code, status } = answered
        const isConflict = status === "409"
        compared(
          `${JSON.stringify(step)} ${JSON.stringify(answered.answer)}`,
          isConflict ? `${status} ${code}` : status,
          isConflict || expected.status === "409" ? `${expected.status} ${expected.code}` : expected.status
        )
        state = next
        outcomes.push(`${step.does} ${status}`)
        if (status !== "ok" && status !== "proposed") {
          // Every write adds an event. So if the log has no new event, the refused step has changed nothing that a
          // caller sees.
          compared(`what a refusal left of ${JSON.stringify(step)}`, reality.eventCount() - before, 0)
          continue
        }
        look(reality, state)
        const wish = state.wishes.find(({ id }) => id === of)
        if (wish !== undefined) collides(reality, state, wish)
      }
      return outcomes
    }
  }
}
