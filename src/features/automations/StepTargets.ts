/** Finds the people, agents and channels that the steps of a rule name. It finds only those that the run may see. */
import { Data, Effect } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Channel } from "../conversations/Channel.ts"
import { Changers } from "../gate/Changers.ts"
import { People } from "../people/People.ts"
import { Records } from "../records/Records.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { TriggerRecord } from "./TriggerRecord.ts"

/** The failure of a step that the pod cannot carry out. `why` is a sentence for people. */
export class StepRefused extends Data.TaggedError("StepRefused")<{ readonly why: string }> {}

const isNamed = (name: string | null, requestedName: string): boolean =>
  name !== null && name.trim().toLowerCase() === requestedName.trim().toLowerCase()

/** Returns the only result of a search for a name. Fails with StepRefused if the search found no result or several. */
const onlyOne = <A>(found: ReadonlyArray<A>, noun: string, name: string): Effect.Effect<A, StepRefused> => {
  const [first, second] = found
  if (first === undefined)
    return Effect.fail(new StepRefused({ why: `There is no ${noun} with the name “${name}” that the rule may use.` }))
  return second === undefined
    ? Effect.succeed(first)
    : Effect.fail(
        new StepRefused({
          why: `There is more than one ${noun} with the name “${name}”, so the rule cannot choose. Give each of them another name.`
        })
      )
}

const targetReads = {
  operation: "automations.notify",
  reason: "notifying a person of a record",
  scope: "hub-protocol.read" as const
}

export const stepTargets = Effect.gen(function* () {
  const changers = yield* Changers
  const people = yield* People
  const records = yield* Records
  const standing = yield* StandingReach
  const workspaces = yield* Workspaces

  /** Finds the people of a workspace who have this name or e-mail address. */
  const members = (workspaceId: string, person: string): Effect.Effect<ReadonlyArray<string>, Forbidden, Reach> =>
    Effect.gen(function* () {
      const workspace = yield* Effect.catchTag(workspaces.get(workspaceId), "WorkspaceNotFound", () =>
        Effect.succeed({ members: [] })
      )
      const found: Array<string> = []
      for (const { kind, name, userId } of workspace.members) {
        if (kind !== "person") continue
        const email = person.includes("@")
          ? yield* Effect.match(people.accessOf(userId), { onFailure: () => null, onSuccess: (access) => access.email })
          : null
        if (isNamed(name, person) || isNamed(email, person)) found.push(userId)
      }
      return found
    })

  /**
   * Returns true if another person is allowed to read the record of a run. The function reads the record with the
   * access of that person.
   */
  const reads = (personId: string, record: TriggerRecord, spaceId: string) => {
    const current = changers.of(record.targetType)?.current(record.id, spaceId) ?? Effect.succeed(null)
    return Effect.map(
      standing.run({ personId, keyId: null }, targetReads, current),
      (found) => found._tag === "Some" && found.value !== null
    )
  }

  return {
    /**
     * Finds the person to notify: the person who owns the rule, or a member of the workspace who is allowed to read the
     * record.
     */
    person: Effect.fnUntraced(function* (name: string, spaceId: string, record: TriggerRecord | null) {
      const { personId } = (yield* Reach).principal
      if (isNamed("me", name)) return personId
      const found = spaceId === personId ? [] : yield* members(spaceId, name)
      const target = yield* onlyOne(found, "member of the workspace", name)
      if (target !== personId && (record === null || !(yield* reads(target, record, spaceId)))) {
        return yield* new StepRefused({
          why: `“${name}” may not read the record that started the rule, so the pod sent no notification.`
        })
      }
      return target
    }),
    agent: (name: string) =>
      Effect.flatMap(people.agents, (agents) =>
        onlyOne(
          agents.filter((agent) => !agent.isSuspended && isNamed(agent.name, name)),
          "agent of yours",
          name
        )
      ),
    channel: (name: string, spaceId: string) => {
      const title = name.replace(/^#/, "")
      const named = (title: string) =>
        records.list(Channel, { named: { field: "title", name: title }, spaces: [spaceId], limit: 2 })
      return Effect.gen(function* () {
        const { items } = yield* named(name)
        return yield* onlyOne(items.length === 0 ? (yield* named(title)).items : items, "channel", name)
      })
    }
  }
})
