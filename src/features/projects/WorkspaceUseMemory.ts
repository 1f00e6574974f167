/** Counts how many entities and projects each workspace has, in the in-memory database. */
import { Effect, Layer } from "effect"
import { countedMax } from "../../doors/Page.ts"
import { emptyBounds } from "../../doors/Reach.ts"
import { entitiesWithin, isFiled } from "../entities/EntityTable.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { recordTable } from "../records/RecordTable.ts"
import { cutProjects, WorkspaceUse } from "../workspaces/WorkspaceUse.ts"
import { Project } from "./Project.ts"

export const layer = Layer.effect(
  WorkspaceUse,
  Effect.map(memoryStatements, ({ read }) => ({
    of: (spaceIds, projectsMax) =>
      read(({ reach, rows }) => {
        const { spaces } = reach.bounds("workspace", "read")
        const projects = rows
          .all(recordTable(Project))
          .filter(({ isArchived, spaceId }) => !isArchived && spaces.includes(spaceId))
        const useOf = (id: string) => {
          const inside = entitiesWithin(rows, { ...emptyBounds, spaces: [id] })
          const isUsing = (projectId: string) => inside.some(({ entity }) => isFiled(rows, entity.id, projectId))
          const projectIds = projects
            .filter(({ record, spaceId }) => spaceId === id || isUsing(record.id))
            .map(({ record }) => record.id)
            .toSorted()
          return [
            id,
            { entityCount: Math.min(inside.length, countedMax), ...cutProjects(projectIds, projectsMax) }
          ] as const
        }
        return Effect.succeed(new Map(spaceIds.filter((id) => spaces.includes(id)).map(useOf)))
      })
  }))
)
