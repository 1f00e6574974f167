/** What is in workspaces and who uses it, in memory. */
import { Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { EntityStore } from "../entities/EntityStore.ts"
import { Records } from "../records/Records.ts"
import { WorkspaceUse } from "../workspaces/WorkspaceUse.ts"
import { Project } from "./Project.ts"
import { MemoryFiled } from "../entities/MemoryFiled.ts"

const limit = Number.MAX_SAFE_INTEGER
const everything = { kind: undefined, projectId: undefined, search: undefined, limit, offset: 0 }

export const layer = Layer.effect(
  WorkspaceUse,
  Effect.gen(function* () {
    const entities = yield* EntityStore
    const records = yield* Records
    const { kept } = yield* MemoryFiled

    const useOf = (spaceId: string) =>
      Effect.gen(function* () {
        const { items: inside } = yield* entities.list(everything, [spaceId])
        const held = new Set(inside.map(({ id }) => id))
        const members = (yield* Ref.get(kept)).filter(({ entityId }) => held.has(entityId))
        const { items: projects } = yield* records.list(Project, { limit })
        const using = projects.filter(
          ({ id, workspaceId }) => workspaceId === spaceId || members.some(({ projectId }) => projectId === id)
        )
        const usedByProjectIds = using.map(({ id }) => id).toSorted()
        return [spaceId, { entityCount: inside.length, usedByProjectIds }] as const
      })

    return {
      of: (spaceIds) =>
        Effect.gen(function* () {
          const { spaces } = (yield* Reach).bounds("workspace", "read")
          const reached = spaceIds.filter((id) => spaces.includes(id))
          return new Map(yield* Effect.forEach(reached, useOf))
        })
    }
  })
)
