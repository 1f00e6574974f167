/** The service of relations. It reads edges. It creates and removes edges through the gate. */
import { Context, Effect, Layer } from "effect"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import { Conflict, type WriteRefusal, type Forbidden, NotFound } from "../../doors/Failure.ts"
import { countedMax, type Page } from "../../doors/Page.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { Entities } from "../entities/Entities.ts"
import { entityOrMissing } from "../entities/Entity.ts"
import { membershipType } from "../projects/Project.ts"
import { ProjectMembers } from "../projects/ProjectMembers.ts"
import { requestedSpaces } from "../workspaces/WorkspaceAccess.ts"
import { type Connections, type Relation, type RelationDraft, type RelationInput } from "./Relation.ts"
import { labelOf, builtInTypes } from "./RelationDef.ts"
import { RelationDefs } from "./RelationDefs.ts"
import { RelationStore } from "./RelationStore.ts"
import { RelationWrites } from "./RelationWrites.ts"

export type RelationRefused = WriteRefusal | Proposed

export class Relations extends Context.Tag("pod/Relations")<
  Relations,
  {
    /**
     * Lists the edges, newest first. An edge is a relation between two entities, or a link from an entity to the
     * project in which it is filed. Leaves out the edges of entities that the caller may not read.
     */
    readonly list: (query: typeof RelationInput.Type) => Effect.Effect<Page<Relation>, Forbidden, Reach>
    /**
     * Does the same as `list`, but lists only the edges in the caller's own space. A key that is limited to workspaces
     * gets an empty list.
     */
    readonly listPodWide: (
      query: Omit<typeof RelationInput.Type, "workspaceId">
    ) => Effect.Effect<Page<Relation>, never, Reach>
    /**
     * Creates a relation, or returns the existing equal relation. Fails with NotFound if the caller cannot access one
     * of the entities. Fails with Invalid if one of the entities is in another space or has a kind that the relation
     * type does not allow.
     */
    readonly create: (draft: RelationDraft) => Effect.Effect<Relation, RelationRefused, Reach>
    readonly remove: (id: string) => Effect.Effect<void, RelationRefused, Reach>
    /**
     * Lists the edges of an entity, each from the point of view of this entity. If the caller may not read the entity,
     * fails with the same NotFound as for a missing entity.
     */
    readonly connections: (entityId: string, limit: number) => Effect.Effect<Connections, NotFound, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* RelationStore
      const writes = yield* RelationWrites
      const defs = yield* RelationDefs
      const entities = yield* Entities
      const members = yield* ProjectMembers

      const list = (
        { cursor, entityId, limit, offset, type }: typeof RelationInput.Type,
        spaces: ReadonlyArray<string> | null
      ) => store.list({ cursor, entityId, limit, offset, spaces, type })

      /** Files an entity in a project and returns the edge in the form in which lists show edges. */
      const filed = Effect.fnUntraced(function* ({
        reasoning,
        sessionId,
        sourceEntityId,
        targetEntityId
      }: RelationDraft) {
        const [newMember] = yield* members.file(targetEntityId, [sourceEntityId], { reasoning, sessionId })
        const member = newMember ?? (yield* members.edge(targetEntityId, sourceEntityId))
        if (member === null) {
          return yield* new Conflict({ code: "LINKED_ALREADY", why: "The entity is already in this project." })
        }
        return {
          id: member.id,
          userId: member.userId,
          workspaceId: workspaceIdOf(member.spaceId, member.userId),
          version: 1,
          createdAt: member.createdAt,
          updatedAt: member.createdAt,
          sourceEntityId: member.entityId,
          targetEntityId: member.projectId,
          type: membershipType,
          metadata: {}
        }
      })

      return {
        list: (query) => Effect.flatMap(requestedSpaces(query.workspaceId), (spaces) => list(query, spaces)),
        listPodWide: (query) => Effect.flatMap(Reach, ({ principal }) => list(query, [principal.personId])),
        create: Effect.fnUntraced(function* (draft) {
          return draft.type === membershipType ? yield* filed(draft) : yield* writes.create(draft)
        }),
        remove: Effect.fnUntraced(function* (id) {
          const membership = yield* Effect.option(store.get(id))
          if (membership._tag === "Some" && membership.value.type === membershipType) {
            const { sourceEntityId, targetEntityId } = membership.value
            yield* members.unfile(targetEntityId, sourceEntityId)
          } else {
            yield* writes.remove(id)
          }
        }),
        connections: Effect.fnUntraced(function* (entityId, limit) {
          yield* entityOrMissing(entities.get(entityId))
          const { connections, counts } = yield* store.connections(entityId, limit, countedMax)
          const meanings = connections.length === 0 ? [] : yield* defs.meanings(Object.keys(counts.byType))
          const meaningOf = (type: string, spaceId: string) =>
            meanings.find(({ slug, userId, workspaceId }) => slug === type && (workspaceId ?? userId) === spaceId) ??
            builtInTypes.find(({ slug }) => slug === type)
          return {
            connections: connections.map(({ spaceId, ...connection }) => ({
              ...connection,
              label: labelOf(connection.relationType, connection.direction, meaningOf(connection.relationType, spaceId))
            })),
            counts
          }
        })
      }
    })
  )
}
