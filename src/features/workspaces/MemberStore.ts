/** What is kept of the agents that were let into workspaces. */
import { Context, Effect, Layer, Ref } from "effect"
import type { MembershipRole } from "../../doors/Principal.ts"
import { Reach } from "../../doors/Reach.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import type { AgentRole } from "./Enrolment.ts"
import { MemoryWorkspaces } from "./WorkspaceStore.ts"

export interface AgentMembership {
  readonly spaceId: string
  readonly role: MembershipRole
}

export class MemberStore extends Context.Tag("pod/MemberStore")<
  MemberStore,
  {
    /** Where an agent was let in, of the workspaces the call reads; in the order of its coming. */
    readonly memberships: (agentId: string) => Effect.Effect<ReadonlyArray<AgentMembership>, never, Reach>
    /** Lets in an agent of the call's person. Answers false where it is in already, and changes nothing then. */
    readonly enroll: (
      agentId: string,
      spaceId: string,
      role: AgentRole,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
    /** Answers false where it is not in. */
    readonly dismiss: (
      agentId: string,
      spaceId: string,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<boolean, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const { users } = yield* MemoryWorkspaces
      const known = (agentId: string) => Effect.map(Ref.get(users.agents), (all) => all.get(agentId))

      return {
        memberships: (agentId) =>
          Effect.gen(function* () {
            const { bounds } = yield* Reach
            const { spaces } = bounds("member", "read")
            const roles = (yield* known(agentId))?.roles ?? new Map<string, MembershipRole>()
            return [...roles].filter(([id]) => spaces.includes(id)).map(([spaceId, role]) => ({ spaceId, role }))
          }),
        enroll: (agentId, spaceId, role, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const found = yield* known(agentId)
            const isOwn = found?.agent.linkedUserId === reach.principal.personId
            const isReached = reach.bounds("member", "create").spaces.includes(spaceId)
            if (found === undefined || !isOwn || !isReached || found.roles.has(spaceId)) return false
            const roles = new Map(found.roles).set(spaceId, role)
            yield* Ref.update(users.agents, (all) => new Map(all).set(agentId, { ...found, roles }))
            yield* append(reach, spaceId, event, passed)
            return true
          }),
        dismiss: (agentId, spaceId, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const found = yield* known(agentId)
            const isReached = reach.bounds("member", "delete").spaces.includes(spaceId)
            if (found === undefined || !isReached || !found.roles.has(spaceId)) return false
            const roles = new Map([...found.roles].filter(([id]) => id !== spaceId))
            yield* Ref.update(users.agents, (all) => new Map(all).set(agentId, { ...found, roles }))
            yield* append(reach, spaceId, event, passed)
            return true
          })
      }
    })
  )
}
