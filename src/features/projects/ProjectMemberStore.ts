/**
 * The store of the entities that are filed in projects. Every method touches only projects and entities that the call
 * may touch.
 */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import {
  entityAt,
  type FiledEntity,
  filingKey,
  filingTable,
  filingOf,
  filings,
  isFiled,
  isRemovedProject
} from "../entities/EntityTable.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import { edgeBounds } from "./EdgeBounds.ts"

/** An entity that is filed in a project. A list shows it as the edge between the entity and the project. */
export type ProjectMember = FiledEntity

export class ProjectMemberStore extends Context.Tag("pod/ProjectMemberStore")<
  ProjectMemberStore,
  {
    /**
     * Files an entity in a project, with an event. Returns null if the entity is already filed there, if the project
     * was removed, or if the caller cannot access the entity.
     */
    readonly file: (
      filing: Pick<ProjectMember, "id" | "entityId" | "projectId">,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<ProjectMember | null, never, Reach>
    /**
     * Removes an entity from a project, with an event. Returns null if the entity is not filed there, or if the caller
     * cannot access the entity.
     */
    readonly unfile: (
      member: Pick<ProjectMember, "entityId" | "projectId">,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<ProjectMember | null, never, Reach>
    /**
     * Finds which of the given entities are filed in the project. Leaves out an entity if the call may not read it, or
     * is not allowed to do `action` on relations in the entity's space.
     */
    readonly find: (
      entityIds: ReadonlyArray<string>,
      projectId: string,
      action: "read" | "delete"
    ) => Effect.Effect<ReadonlyArray<ProjectMember>, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => ({
      file: (filing, event, passed) =>
        write(({ append, now, reach, rows }) => {
          const { entityId, projectId } = filing
          const found = entityAt(rows, edgeBounds(reach, "create"), entityId)
          if (found === undefined || isFiled(rows, entityId, projectId) || isRemovedProject(rows, projectId)) {
            return Effect.succeed(null)
          }
          const row = { ...filing, spaceId: found.spaceId, userId: reach.principal.personId, createdAt: now }
          rows.put(filingTable, row)
          append(row.spaceId, event, passed)
          return Effect.succeed(row)
        }),
      unfile: (filing, event, passed) =>
        write(({ append, reach, rows }) => {
          const member = filingOf(rows, filing)
          if (member === undefined || entityAt(rows, edgeBounds(reach, "delete"), filing.entityId) === undefined) {
            return Effect.succeed(null)
          }
          rows.remove(filingTable, filingKey(filing))
          append(member.spaceId, event, passed)
          return Effect.succeed(member)
        }),
      find: (entityIds, projectId, action) =>
        read(({ reach, rows }) => {
          const bounds = edgeBounds(reach, action)
          return Effect.succeed(
            filings(rows)
              .filter((member) => member.projectId === projectId && entityIds.includes(member.entityId))
              .filter(({ entityId }) => entityAt(rows, bounds, entityId) !== undefined)
          )
        })
    }))
  )
}
