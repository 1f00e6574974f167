/** What is filed in which project. Bounded by the call's Reach: an entity out of reach is in no project. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { EntityStore } from "../entities/EntityStore.ts"
import { type FiledEntity, MemoryFiled } from "../entities/MemoryFiled.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import { edgeBounds } from "./EdgeBounds.ts"

/** An entity in a project, as the edge that a listing shows. */
export type ProjectMember = FiledEntity

export class ProjectMemberStore extends Context.Tag("pod/ProjectMemberStore")<
  ProjectMemberStore,
  {
    /** Files an entity, with an event; null where it is filed already or out of reach. */
    readonly file: (
      made: Pick<ProjectMember, "id" | "entityId" | "projectId">,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<ProjectMember | null, never, Reach>
    /** Takes it out again, with an event; null where it is not filed, or out of reach. */
    readonly unfile: (
      member: Pick<ProjectMember, "entityId" | "projectId">,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<ProjectMember | null, never, Reach>
    /** Those of the entities that are in the project, as far as the call reads them and may do this to relations. */
    readonly find: (
      entityIds: ReadonlyArray<string>,
      projectId: string,
      action: "read" | "delete"
    ) => Effect.Effect<ReadonlyArray<ProjectMember>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const { append } = yield* MemoryEvents
      const entities = yield* EntityStore
      const { kept } = yield* MemoryFiled

      /** The space of an entity in which the call may do this to relations. */
      const spaceFor = (entityId: string, action: "create" | "delete" | "read") =>
        Effect.gen(function* () {
          const { spaces } = edgeBounds(yield* Reach, action)
          const entity = yield* entities.get(entityId)
          const spaceId = entity.workspaceId ?? entity.userId
          return spaces.includes(spaceId) ? spaceId : null
        }).pipe(Effect.catchTag("EntityNotFound", () => Effect.succeed(null)))
      const find = ({ entityId, projectId }: Pick<ProjectMember, "entityId" | "projectId">) =>
        Effect.map(Ref.get(kept), (all) =>
          all.find((member) => member.entityId === entityId && member.projectId === projectId)
        )

      return {
        file: (filing, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const spaceId = yield* spaceFor(filing.entityId, "create")
            if (spaceId === null || (yield* find(filing)) !== undefined) return null
            const made = { ...filing, spaceId, userId: reach.principal.personId, createdAt: yield* DateTime.now }
            yield* Ref.update(kept, (all) => [...all, made])
            yield* append(reach, spaceId, event, passed)
            return made
          }),
        unfile: (filing, event, passed) =>
          Effect.gen(function* () {
            const member = yield* find(filing)
            if (member === undefined || (yield* spaceFor(filing.entityId, "delete")) === null) return null
            yield* Ref.update(kept, (all) => all.filter((other) => other !== member))
            yield* append(yield* Reach, member.spaceId, event, passed)
            return member
          }),
        find: (entityIds, projectId, action) =>
          Effect.gen(function* () {
            const found = (yield* Ref.get(kept)).filter(
              (member) => member.projectId === projectId && entityIds.includes(member.entityId)
            )
            return yield* Effect.filter(found, ({ entityId }) =>
              Effect.map(spaceFor(entityId, action), (spaceId) => spaceId !== null)
            )
          })
      }
    })
  )
}
