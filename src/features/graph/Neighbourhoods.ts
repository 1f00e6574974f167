/**
 * Collects the neighbours of an object from four sources: relations, references between records, properties that refer
 * to entities, and the projects of an entity.
 */
import { Context, Effect, Layer } from "effect"
import type { Cursor } from "../../doors/Cursor.ts"
import { spaceOf, workspaceIdOf } from "../../doors/OwnSpace.ts"
import { Reach } from "../../doors/Reach.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Entities } from "../entities/Entities.ts"
import { Facets } from "../facets/Facets.ts"
import type { Entity } from "../entities/Entity.ts"
import { membershipType } from "../projects/Project.ts"
import { Profiles } from "../profiles/Profiles.ts"
import { Records } from "../records/Records.ts"
import { type Common, fieldOf } from "../records/RecordType.ts"
import { Relations } from "../relations/Relations.ts"
import { canLeadTo, edgeOf, nodeOfRecord, recordKind, recordKinds, targetsOf } from "./GraphKinds.ts"
import type { GraphEnvelope, GraphKind, GraphNode, Neighbor } from "./GraphNode.ts"
import { GraphStore, type PropertyReference } from "./GraphStore.ts"
import { GraphNodes, nodeOfEntity, storedId } from "./GraphNodes.ts"

// the maximum number of neighbours that the pod reads from one source, such as the relations of an entity
const sourceMax = 200
// the maximum number of entities that the pod reads because the properties of one entity refer to them
const namedMax = 100

/** A list of neighbours from one source, such as the relations, and the total number of neighbours in this source. */
interface SourceNeighbors {
  readonly neighbors: ReadonlyArray<Neighbor>
  readonly total: number
  /** True if the source has more neighbours than this list. */
  readonly isCut: boolean
}

const noNeighbors: SourceNeighbors = { neighbors: [], total: 0, isCut: false }
const neighborsOf = (neighbors: ReadonlyArray<Neighbor>, next: Cursor | null = null): SourceNeighbors => ({
  neighbors,
  total: neighbors.length,
  isCut: next !== null
})

/** The types of properties whose values are ids of entities. */
const entityTypes: ReadonlySet<string> = new Set(["entity_id", "relation"])

/**
 * Returns a text that identifies the kind of an entity. The text contains the space, because one slug can name
 * different kinds in two spaces.
 */
const kindOf = ({ profileSlug, spaceId }: PropertyReference): string => `${spaceId} ${profileSlug}`

const countsOf = (sources: ReadonlyArray<SourceNeighbors>): GraphEnvelope["counts"] => {
  const byKind: Record<string, number> = {}
  const byVia: Record<string, number> = {}
  for (const { neighbors, total } of sources) {
    // If the pod did not read all neighbours of a source, it does not know the kinds of the remaining neighbours. So it
    // counts them under the kind and source of the last neighbour that it read.
    for (const [at, { kind, via }] of neighbors.entries()) {
      const count = at === neighbors.length - 1 ? 1 + total - neighbors.length : 1
      byKind[kind] = (byKind[kind] ?? 0) + count
      byVia[via] = (byVia[via] ?? 0) + count
    }
  }
  return { total: sources.reduce((sum, { total }) => sum + total, 0), byKind, byVia }
}

const emptyEnvelope = (kind: GraphKind, id: string): GraphEnvelope => ({
  object: { kind, id, name: null, subtype: null, subtypes: [], workspaceId: null },
  neighbors: [],
  counts: { total: 0, byKind: {}, byVia: {} },
  found: false,
  truncated: false
})

export class Neighbourhoods extends Context.Tag("pod/Neighbourhoods")<
  Neighbourhoods,
  {
    /**
     * Returns the object with at most `limit` neighbours, and the number of its neighbours. Counts the neighbours from
     * sources other than relations only up to `sourceMax`. The answer is the same for an object that does not exist
     * and for an object that the caller cannot reach.
     */
    readonly neighbourhoodOf: (kind: GraphKind, id: string, limit: number) => Effect.Effect<GraphEnvelope, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* Entities
      const facets = yield* Facets
      const nodes = yield* GraphNodes
      const profiles = yield* Profiles
      const records = yield* Records
      const relations = yield* Relations
      const store = yield* GraphStore

      const related = ({ id }: Entity) =>
        relations.connections(id, sourceMax).pipe(
          Effect.map(({ connections, counts }): SourceNeighbors => {
            const neighbors = connections.map(({ direction, entity, relationType }): Neighbor => ({
              kind: "entity",
              id: entity.id,
              name: entity.title,
              subtype: entity.profileSlug,
              subtypes: [entity.profileSlug],
              workspaceId: entity.workspaceId,
              edgeType: relationType,
              direction,
              via: "relations"
            }))
            const total = Math.max(counts.total, neighbors.length)
            return { neighbors, total, isCut: total > neighbors.length }
          }),
          Effect.catchTag("NotFound", () => Effect.succeed(noNeighbors))
        )

      const filing = { edgeType: membershipType, direction: "structural", via: "links" } as const

      const projectsOf = Effect.fnUntraced(function* ({ id }: Entity) {
        const query = { entityId: id, type: membershipType, limit: sourceMax, offset: 0 }
        // The call fails only if the query names a workspace that the caller cannot reach. This query names no
        // workspace, so the call cannot fail.
        const { items } = yield* Effect.orDie(relations.list(query))
        const ids = items.map(({ targetEntityId }) => targetEntityId)
        const projects = yield* nodes.findAll("project", ids)
        return neighborsOf(ids.flatMap((each) => projects.get(each) ?? []).map((node) => ({ ...node, ...filing })))
      })

      const filedIn = Effect.fnUntraced(function* (projectId: string) {
        const { bounds } = yield* Reach
        const filter = { projectId, scope: "all", includePodWide: true, offset: 0 } as const
        // The link between an entity and a project is a relation. So a caller who may not read relations gets no such
        // neighbours.
        if (bounds("relation", "read").spaces.length === 0) return noNeighbors
        const { items, next } = yield* readFirst(sourceMax, (limit) =>
          Effect.orDie(entities.list({ ...filter, limit }))
        )
        return neighborsOf(
          items.map((item) => ({ ...nodeOfEntity(item), ...filing })),
          next
        )
      })

      /** Returns the properties of a kind whose values are ids of entities. */
      const namingProperties = (kindSlug: string, spaceId: string) =>
        Effect.map(profiles.schemaFor(kindSlug, spaceId), (schema) =>
          (schema?.definitions ?? [])
            .filter(
              ({ constraints, type }) => entityTypes.has(type) || entityTypes.has(String(constraints["itemType"]))
            )
            .map(({ slug }) => slug)
        )

      /**
       * Finds the entities to which an entity refers by properties. Uses only properties that the profile of the entity
       * defines as references.
       */
      const propertiesOf = Effect.fnUntraced(function* (entity: Entity) {
        const naming = yield* namingProperties(entity.profileSlug, spaceOf(entity))
        const named = naming
          .flatMap((slug) => [entity.properties[slug]].flat().map((value) => ({ slug, id: storedId(value) })))
          .slice(0, namedMax)
        const found = yield* nodes.findAll(
          "entity",
          named.flatMap(({ id }) => id ?? [])
        )
        return neighborsOf(
          named.flatMap(({ id, slug }) => {
            const node = id === null ? undefined : found.get(id)
            return node === undefined
              ? []
              : [{ ...node, edgeType: slug, direction: "outgoing", via: "property" } as const]
          })
        )
      })

      /**
       * Finds the entities that refer to this entity by a property. Uses only properties that the profiles of those
       * entities define as references.
       */
      const namedBy = Effect.fnUntraced(function* ({ id }: Entity) {
        const found = yield* store.findReferencing(id, sourceMax + 1)
        const kinds = new Map(found.map((each) => [kindOf(each), each]))
        const naming = new Map(
          yield* Effect.forEach(kinds, ([kind, { profileSlug, spaceId }]) =>
            Effect.map(namingProperties(profileSlug, spaceId), (slugs) => [kind, new Set(slugs)] as const)
          )
        )
        const neighbors = found
          .slice(0, sourceMax)
          .filter((each) => naming.get(kindOf(each))?.has(each.property))
          .map(({ entityId, profileSlug, property, spaceId, title, userId }): Neighbor => {
            const workspaceId = workspaceIdOf(spaceId, userId)
            const node = nodeOfEntity({ id: entityId, profileSlug, title, workspaceId })
            return { ...node, edgeType: property, direction: "incoming", via: "property" }
          })
        return { ...neighborsOf(neighbors), isCut: found.length > sourceMax }
      })

      /**
       * Finds the document to which the entity refers. If the document also refers to the entity, leaves the document
       * out, because `referringTo` finds it.
       */
      const documentOf = ({ documentId, id }: Entity) => {
        const known = recordKind("document")
        const found = documentId === null ? Effect.succeed(null) : nodes.record(known, documentId)
        return Effect.map(found, (document) =>
          document === null || fieldOf(document, "entityId") === id
            ? noNeighbors
            : neighborsOf([
                { ...nodeOfRecord(known, document), edgeType: "document", direction: "outgoing", via: "links" }
              ])
        )
      }

      /** Finds the objects to which a record refers by its reference fields. */
      const referredBy = (kind: Exclude<GraphKind, "entity">, record: Common) =>
        Effect.map(
          Effect.forEach(
            recordKind(kind).references,
            Effect.fnUntraced(function* (reference) {
              const id = storedId(fieldOf(record, reference.field))
              if (id === null) return []
              for (const target of targetsOf(reference, record)) {
                const node = yield* nodes.find(target, id)
                if (node !== null) return [{ ...node, ...edgeOf(reference, "outgoing") }]
              }
              return []
            })
          ),
          (found) => neighborsOf(found.flat())
        )

      /** Finds the records whose fields refer to the object. */
      const referringTo = (kind: GraphKind, id: string) =>
        Effect.forEach(
          recordKinds.flatMap((known) =>
            known.references.flatMap((reference) => (canLeadTo(reference, kind) ? [{ known, reference }] : []))
          ),
          ({ known, reference }) =>
            Effect.map(
              readFirst(sourceMax, (limit) => records.list(known.type, { where: { [reference.field]: id }, limit })),
              ({ items, next }) =>
                neighborsOf(
                  items
                    .filter((record) => targetsOf(reference, record).includes(kind))
                    .map((record) => ({ ...nodeOfRecord(known, record), ...edgeOf(reference, "incoming") })),
                  next
                )
            )
        )

      const ofEntity = Effect.fnUntraced(function* (id: string) {
        const entity = yield* nodes.entity(id)
        if (entity === null) return null
        const roles = yield* Effect.orElseSucceed(facets.list(id), () => [])
        const subtypes = [entity.profileSlug, ...roles.map(({ slug }) => slug)]
        const sources = [related, propertiesOf, namedBy, documentOf, projectsOf]
        const own = yield* Effect.forEach(sources, (source) => source(entity))
        return { object: { ...nodeOfEntity(entity), subtypes }, own }
      })

      const ofRecord = Effect.fnUntraced(function* (kind: Exclude<GraphKind, "entity">, id: string) {
        const record = yield* nodes.record(recordKind(kind), id)
        if (record === null) return null
        const own = [yield* referredBy(kind, record), ...(kind === "project" ? [yield* filedIn(id)] : [])]
        return { object: nodeOfRecord(recordKind(kind), record), own }
      })

      return {
        neighbourhoodOf: Effect.fnUntraced(function* (kind, id, limit) {
          const found: { readonly object: GraphNode; readonly own: ReadonlyArray<SourceNeighbors> } | null =
            kind === "entity" ? yield* ofEntity(id) : yield* ofRecord(kind, id)
          if (found === null) return emptyEnvelope(kind, id)
          const sources = [...found.own, ...(yield* referringTo(kind, id))]
          const all = sources.flatMap(({ neighbors }) => neighbors)
          return {
            object: found.object,
            neighbors: all.slice(0, limit),
            counts: countsOf(sources),
            found: true,
            truncated: all.length > limit || sources.some(({ isCut }) => isCut)
          }
        })
      }
    })
  )
}
