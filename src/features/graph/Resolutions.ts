/** Finds the object with a given id, among all objects that the caller may read. */
import { Context, Effect, Layer, Option } from "effect"
import type { DateTime } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import { People } from "../people/People.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { Records } from "../records/Records.ts"
import { fieldOf } from "../records/RecordType.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { nodeOfRecord, recordKind } from "./GraphKinds.ts"
import type { NameMatches, NameQuery, ResolveResult, ResolvedType } from "./GraphNode.ts"
import { GraphNodes, matchesMax, newestMade, storedId } from "./GraphNodes.ts"

/** The types of objects for which the client has no page to open. */
const typesWithoutPage: ReadonlySet<ResolvedType> = new Set(["run", "unknown"])

interface ResolvedObject {
  readonly type: ResolvedType
  readonly id: string
  readonly displayName: string | null
  readonly workspaceId?: string | null
  readonly updatedAt?: DateTime.Utc | null
  readonly profileSlug?: string
  readonly params?: Readonly<Record<string, string>>
}

const answerOf = ({ params = {}, profileSlug, updatedAt, workspaceId, ...found }: ResolvedObject): ResolveResult => ({
  ...found,
  workspaceId: workspaceId ?? null,
  updatedAt: updatedAt ?? null,
  profileSlug: profileSlug ?? null,
  openable: !typesWithoutPage.has(found.type),
  params
})

/**
 * Returns true if the object has this name. Ignores letter case and spaces at the ends, as a search for records by name
 * does.
 */
const isNamed = (object: { readonly name: string }, name: string): boolean =>
  object.name.trim().toLowerCase() === name.trim().toLowerCase()

/** The record types in which `aRecord` looks for an id. */
const resolvedKinds = ["document", "project", "view", "channel", "session", "automation", "skill"] as const

export class Resolutions extends Context.Tag("pod/Resolutions")<
  Resolutions,
  {
    /** Finds the object with this id. The type is `unknown` if no object has the id or the caller cannot reach it. */
    readonly resolve: (id: string) => Effect.Effect<ResolveResult, never, Reach>
    /** Finds at most 50 objects of a type with this name. */
    readonly named: (query: NameQuery) => Effect.Effect<NameMatches, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const nodes = yield* GraphNodes
      const people = yield* People
      const proposals = yield* Proposals
      const records = yield* Records
      const workspaces = yield* Workspaces

      const anEntity = (id: string) =>
        Effect.map(nodes.entity(id), (found): ResolvedObject | null =>
          found === null
            ? null
            : {
                type: "entity",
                id,
                displayName: found.title,
                workspaceId: found.workspaceId,
                updatedAt: found.updatedAt,
                profileSlug: found.profileSlug
              }
        )

      const aRecord = (kind: (typeof resolvedKinds)[number]) => (id: string) => {
        const known = recordKind(kind)
        return Effect.map(nodes.record(known, id), (found): ResolvedObject | null => {
          if (found === null) return null
          const { name, workspaceId } = nodeOfRecord(known, found)
          return { type: kind, id, displayName: name, workspaceId, updatedAt: found.updatedAt }
        })
      }

      /**
       * Finds a thread, and the channel in which a client opens the thread. If a thread belongs to no channel, a client
       * opens the thread itself as if it were a channel.
       */
      const aThread = Effect.fnUntraced(function* (id: string) {
        const known = recordKind("thread")
        const found = yield* nodes.record(known, id)
        if (found === null) return null
        const parent = storedId(fieldOf(found, "parentChannelId"))
        const channel = parent === null ? null : yield* nodes.find("channel", parent)
        const { name, workspaceId } = nodeOfRecord(known, found)
        const openedChannel: ResolvedObject = { type: "channel", id: channel?.id ?? id, displayName: name, workspaceId }
        return { ...openedChannel, updatedAt: found.updatedAt, params: { threadId: id } }
      })

      const aRun = (id: string) =>
        Effect.map(Effect.option(records.get(AutomationRun, id)), (found): ResolvedObject | null =>
          Option.match(found, {
            onNone: () => null,
            onSome: ({ updatedAt, workspaceId }) => ({ type: "run", id, displayName: null, workspaceId, updatedAt })
          })
        )

      const aProposal = (id: string) =>
        Effect.map(Effect.option(proposals.get(id)), (found): ResolvedObject | null =>
          Option.match(found, {
            onNone: () => null,
            onSome: ({ summary, updatedAt, workspaceId }) => ({
              type: "proposal",
              id,
              displayName: summary,
              workspaceId,
              updatedAt
            })
          })
        )

      const aWorkspace = Effect.fnUntraced(function* (id: string) {
        const { bounds } = yield* Reach
        if (!bounds("workspace", "read").spaces.includes(id)) return null
        const found = yield* Effect.option(workspaces.get(id))
        if (found._tag === "None") return null
        const { name, updatedAt } = found.value
        return { type: "workspace", id, displayName: name, workspaceId: id, updatedAt } satisfies ResolvedObject
      })

      /** Finds the agent with this id. Every agent is in the own space of the person who owns the agent. */
      const anAgent = Effect.fnUntraced(function* (id: string) {
        const { bounds, principal } = yield* Reach
        const { objects, spaces } = bounds("agent", "read")
        if (!spaces.includes(principal.personId) || (objects !== null && !objects.includes(id))) return null
        const agent = (yield* people.agents).find((each) => each.id === id)
        return agent === undefined ? null : ({ type: "agent", id, displayName: agent.name } satisfies ResolvedObject)
      })

      const lookUps: ReadonlyArray<(id: string) => Effect.Effect<ResolvedObject | null, never, Reach>> = [
        anEntity,
        ...resolvedKinds.map(aRecord),
        aThread,
        aProposal,
        aWorkspace,
        aRun,
        anAgent
      ]

      const workspacesNamed = (name: string) =>
        Effect.map(workspaces.list, ({ workspaces: all }) =>
          all
            .filter((one) => isNamed(one, name))
            .map(({ id, name, workspaceType }) => ({
              kind: "workspace" as const,
              id,
              name,
              subtype: workspaceType,
              workspaceId: id
            }))
        )

      const agentsNamed = Effect.fnUntraced(function* (name: string) {
        const alike = (yield* people.agents).filter((one) => isNamed(one, name))
        const found = yield* Effect.forEach(alike, ({ id }) => anAgent(id))
        return found.flatMap((one) =>
          one === null
            ? []
            : [{ kind: "agent" as const, id: one.id, name: one.displayName, subtype: null, workspaceId: null }]
        )
      })

      const named = (query: NameQuery): Effect.Effect<NameMatches, never, Reach> => {
        const { kind, name, subtype } = query
        if (kind !== "workspace" && kind !== "agent") return nodes.named({ ...query, kind })
        const found: Effect.Effect<NameMatches["matches"], never, Reach> =
          kind === "workspace" ? workspacesNamed(name) : agentsNamed(name)
        return Effect.map(found, (all) => {
          const fitting = all.filter((one) => subtype === undefined || one.subtype === subtype)
          const matches = fitting.toSorted(newestMade).slice(0, matchesMax)
          return { matches, unique: matches.length === 1 }
        })
      }

      return {
        named,
        resolve: Effect.fnUntraced(function* (requestedId) {
          const id = storedId(requestedId)
          for (const lookUp of id === null ? [] : lookUps) {
            const found = yield* lookUp(id!)
            if (found !== null) return answerOf(found)
          }
          return answerOf({ type: "unknown", id: requestedId, displayName: null })
        })
      }
    })
  )
}
