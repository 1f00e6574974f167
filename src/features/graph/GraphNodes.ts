/**
 * Finds the objects of the graph by kind and id, or by kind and name. Does not find objects that the caller may not
 * read.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { isUuid } from "../../platform/Ids.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Entities } from "../entities/Entities.ts"
import type { Entity } from "../entities/Entity.ts"
import { IdentityResolver } from "../identity/IdentityResolver.ts"
import { Records } from "../records/Records.ts"
import type { Common } from "../records/RecordType.ts"
import { type KindOfRecord, nodeOfRecord, recordKind } from "./GraphKinds.ts"
import type { GraphKind, GraphNode, NameMatches, NameQuery } from "./GraphNode.ts"

export const matchesMax = 50 // the maximum number of objects with the same name in an answer

/** Returns the id in lower case, which is the form in the database. Returns null if the text is not an id. */
export const storedId = (text: unknown): string | null =>
  typeof text === "string" && isUuid(text) ? text.toLowerCase() : null

export const nodeOfEntity = ({
  id,
  profileSlug,
  title,
  workspaceId
}: Pick<Entity, "id" | "profileSlug" | "title" | "workspaceId">): GraphNode => ({
  kind: "entity",
  id,
  name: title,
  subtype: profileSlug,
  subtypes: [profileSlug],
  workspaceId
})

export class GraphNodes extends Context.Tag("pod/GraphNodes")<
  GraphNodes,
  {
    /**
     * Finds the object with this kind and id. Returns null if the object does not exist or the caller cannot reach it.
     */
    readonly find: (kind: GraphKind, id: string) => Effect.Effect<GraphNode | null, never, Reach>
    /**
     * Finds the objects of this kind with these ids in one statement. Returns them by their ids. Leaves out objects that
     * `find` would not find.
     */
    readonly findAll: (
      kind: GraphKind,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, GraphNode>, never, Reach>
    readonly record: (kind: KindOfRecord, id: string) => Effect.Effect<Common | null, never, Reach>
    /**
     * Reads the records of a kind with these ids in one statement: the fields that the graph needs. Leaves out records
     * that the caller cannot reach.
     */
    readonly records: (
      kind: KindOfRecord,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Common>, never, Reach>
    readonly entity: (id: string) => Effect.Effect<Entity | null, never, Reach>
    /** Finds at most `matchesMax` objects of a kind with this name, newest first. */
    readonly named: (query: NameQuery & { readonly kind: GraphKind }) => Effect.Effect<NameMatches, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const identity = yield* IdentityResolver
      const records = yield* Records

      const entity = (id: string) => Effect.map(Effect.option(entities.get(id)), Option.getOrNull)
      const record = ({ type }: KindOfRecord, id: string) =>
        Effect.map(Effect.option(records.get(type, id)), Option.getOrNull)

      // The cast is right, because the table of kinds names only fields that the type has.
      const recordsAmong = ({ read, type }: KindOfRecord, ids: ReadonlyArray<string>) =>
        records.among(type, ids, read as ReadonlyArray<never>)

      const find = (kind: GraphKind, id: string): Effect.Effect<GraphNode | null, never, Reach> => {
        if (kind === "entity") return Effect.map(entity(id), (found) => (found === null ? null : nodeOfEntity(found)))
        const known = recordKind(kind)
        return Effect.map(record(known, id), (found) => (found === null ? null : nodeOfRecord(known, found)))
      }

      const findAll = (kind: GraphKind, ids: ReadonlyArray<string>) => {
        const known = kind === "entity" ? undefined : recordKind(kind)
        const found: Effect.Effect<ReadonlyArray<GraphNode>, never, Reach> = known === undefined
          ? Effect.map(entities.heads(ids), (each) => each.map(nodeOfEntity))
          : Effect.map(recordsAmong(known, ids), (each) => each.map((one) => nodeOfRecord(known, one)))
        return Effect.map(found, (nodes) => new Map(nodes.map((node) => [node.id, node])))
      }

      const entitiesNamed = Effect.fnUntraced(function* (title: string, kindSlug: string | undefined) {
        // The call fails only if the query names a workspace that the caller cannot reach. This query names no
        // workspace, so the call cannot fail.
        const { candidates } = yield* Effect.orDie(identity.resolve({ title, kindSlug }))
        const found = yield* entities.heads(candidates.slice(0, matchesMax).map(({ entityId }) => entityId))
        return found.map(nodeOfEntity)
      })

      const recordsNamed = (known: KindOfRecord, name: string, subtype: string | undefined) =>
        Effect.map(
          readFirst(matchesMax, (limit) =>
            // The cast is right, because the table of kinds names only fields that the type has.
            records.list(known.type, { named: { field: known.name as never, name }, limit })
          ),
          ({ items }) =>
            items
              .map((item) => nodeOfRecord(known, item))
              .filter((node) => subtype === undefined || node.subtype === subtype)
        )

      return {
        find,
        findAll,
        record,
        records: recordsAmong,
        entity,
        named: ({ kind, name, subtype }) =>
          Effect.map(
            kind === "entity" ? entitiesNamed(name, subtype) : recordsNamed(recordKind(kind), name, subtype),
            (found) => ({
              matches: found.toSorted(newestFirst).map(({ id, kind, name, subtype, workspaceId }) => ({
                kind,
                id,
                name,
                subtype,
                workspaceId
              })),
              unique: found.length === 1
            })
          )
      }
    })
  )
}
