/** Finds the objects with given ids or names, among all objects that the caller may read. */
import { Context, Effect, Layer } from "effect"
import type { DateTime } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { AutomationRun } from "../automations/AutomationRun.ts"
import { Entities } from "../entities/Entities.ts"
import { People } from "../people/People.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { Records } from "../records/Records.ts"
import { type Common, fieldOf } from "../records/RecordType.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { nodeOfRecord, recordKind } from "./GraphKinds.ts"
import type { NameMatches, NameQuery, ObjectTitle, ResolveResult, ResolvedType } from "./GraphNode.ts"
import { GraphNodes, matchesMax, storedId } from "./GraphNodes.ts"

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

/** Finds the objects of one type among these ids. Returns the objects by the requested id. */
type LookUp = (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, ResolvedObject>, never, Reach>

const byId = (objects: ReadonlyArray<ResolvedObject>): ReadonlyMap<string, ResolvedObject> =>
  new Map(objects.map((object) => [object.id, object]))

/** The record types in which `recordsAmong` looks for ids. */
const resolvedKinds = ["document", "project", "view", "channel", "session", "automation", "skill"] as const

export class Resolutions extends Context.Tag("pod/Resolutions")<
  Resolutions,
  {
    /** Finds the object with this id. The type is `unknown` if no object has the id or the caller cannot reach it. */
    readonly resolve: (id: string) => Effect.Effect<ResolveResult, never, Reach>
    /**
     * Finds the types and names of the objects with these ids, in the order of the ids and each once. Leaves out the ids
     * for which `resolve` answers `unknown`.
     */
    readonly titles: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ObjectTitle>, never, Reach>
    /** Finds at most 50 objects of a type with this name. */
    readonly named: (query: NameQuery) => Effect.Effect<NameMatches, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const nodes = yield* GraphNodes
      const people = yield* People
      const proposals = yield* Proposals
      const records = yield* Records
      const workspaces = yield* Workspaces

      const entitiesAmong: LookUp = (ids) =>
        Effect.map(entities.heads(ids), (found) =>
          byId(
            found.map(({ id, profileSlug, title, updatedAt, workspaceId }) => ({
              type: "entity",
              id,
              displayName: title,
              workspaceId,
              updatedAt,
              profileSlug
            }))
          )
        )

      const recordsAmong =
        (kind: (typeof resolvedKinds)[number]): LookUp =>
        (ids) => {
          const known = recordKind(kind)
          return Effect.map(nodes.records(known, ids), (found) =>
            byId(
              found.map((record) => {
                const { name, workspaceId } = nodeOfRecord(known, record)
                return { type: kind, id: record.id, displayName: name, workspaceId, updatedAt: record.updatedAt }
              })
            )
          )
        }

      /**
       * Finds threads, and the channels in which a client opens them. If a thread belongs to no channel, a client opens
       * the thread itself as if it were a channel.
       */
      const threadsAmong: LookUp = Effect.fnUntraced(function* (ids) {
        const known = recordKind("thread")
        const threads = yield* nodes.records(known, ids)
        const parentOf = (thread: Common) => storedId(fieldOf(thread, "parentChannelId"))
        const parents = [...new Set(threads.flatMap((thread) => parentOf(thread) ?? []))]
        const channels = new Set((yield* nodes.records(recordKind("channel"), parents)).map(({ id }) => id))
        return new Map(
          threads.map((thread) => {
            const parent = parentOf(thread)
            const { name, workspaceId } = nodeOfRecord(known, thread)
            const openedChannel: ResolvedObject = {
              type: "channel",
              id: parent !== null && channels.has(parent) ? parent : thread.id,
              displayName: name,
              workspaceId
            }
            return [thread.id, { ...openedChannel, updatedAt: thread.updatedAt, params: { threadId: thread.id } }]
          })
        )
      })

      const runsAmong: LookUp = (ids) =>
        Effect.map(records.among(AutomationRun, ids, []), (found) =>
          byId(
            found.map(({ id, updatedAt, workspaceId }) => ({
              type: "run",
              id,
              displayName: null,
              workspaceId,
              updatedAt
            }))
          )
        )

      const proposalsAmong: LookUp = (ids) =>
        // The call fails only if the query names a workspace that the caller cannot reach. This query names no
        // workspace, so the call cannot fail.
        Effect.map(Effect.orDie(proposals.page({ ids, status: "all", limit: ids.length, offset: 0 })), ({ items }) =>
          byId(
            items.map(({ id, summary, updatedAt, workspaceId }) => ({
              type: "proposal",
              id,
              displayName: summary,
              workspaceId,
              updatedAt
            }))
          )
        )

      const workspacesAmong: LookUp = Effect.fnUntraced(function* (ids) {
        const { bounds } = yield* Reach
        const readable = new Set(bounds("workspace", "read").spaces)
        if (!ids.some((id) => readable.has(id))) return new Map()
        const { workspaces: all } = yield* workspaces.list
        return byId(
          all
            .filter(({ id }) => readable.has(id) && ids.includes(id))
            .map(({ id, name, updatedAt }) => ({
              type: "workspace",
              id,
              displayName: name,
              workspaceId: id,
              updatedAt
            }))
        )
      })

      /** Finds agents. Every agent is in the own space of the person who owns the agent. */
      const agentsAmong: LookUp = Effect.fnUntraced(function* (ids) {
        const { bounds, principal } = yield* Reach
        const { objects, spaces } = bounds("agent", "read")
        if (!spaces.includes(principal.personId)) return new Map()
        return byId(
          (yield* people.agents)
            .filter(({ id }) => ids.includes(id) && (objects === null || objects.includes(id)))
            .map(({ id, name }) => ({ type: "agent", id, displayName: name }))
        )
      })

      const lookUps: ReadonlyArray<LookUp> = [
        entitiesAmong,
        ...resolvedKinds.map(recordsAmong),
        threadsAmong,
        proposalsAmong,
        workspacesAmong,
        runsAmong,
        agentsAmong
      ]

      /** Finds the objects with these ids, by id. Each look-up gets only the ids that no earlier look-up has found. */
      const findAll = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        const found = new Map<string, ResolvedObject>()
        for (const lookUp of lookUps) {
          const missing = ids.filter((id) => !found.has(id))
          if (missing.length === 0) break
          for (const [id, object] of yield* lookUp(missing)) found.set(id, object)
        }
        return found
      })

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
        const found = yield* agentsAmong(alike.map(({ id }) => id))
        return [...found.values()].map(({ displayName, id }) => ({
          kind: "agent" as const,
          id,
          name: displayName,
          subtype: null,
          workspaceId: null
        }))
      })

      const named = (query: NameQuery): Effect.Effect<NameMatches, never, Reach> => {
        const { kind, name, subtype } = query
        if (kind !== "workspace" && kind !== "agent") return nodes.named({ ...query, kind })
        const found: Effect.Effect<NameMatches["matches"], never, Reach> =
          kind === "workspace" ? workspacesNamed(name) : agentsNamed(name)
        return Effect.map(found, (all) => {
          const fitting = all.filter((one) => subtype === undefined || one.subtype === subtype)
          const matches = fitting.toSorted(newestFirst).slice(0, matchesMax)
          return { matches, unique: matches.length === 1 }
        })
      }

      return {
        named,
        resolve: Effect.fnUntraced(function* (requestedId) {
          const id = storedId(requestedId)
          const found = id === null ? undefined : (yield* findAll([id])).get(id)
          return answerOf(found ?? { type: "unknown", id: requestedId, displayName: null })
        }),
        titles: (ids) => {
          const distinct = [...new Set(ids)]
          return Effect.map(findAll(distinct), (found) =>
            distinct.flatMap((id): ReadonlyArray<ObjectTitle> => {
              const object = found.get(id)
              if (object === undefined) return []
              const { displayName, type, workspaceId } = answerOf(object)
              return [{ id, type, displayName, workspaceId }]
            })
          )
        }
      }
    })
  )
}
