/** Collects the latest activity of the caller from the caller's own entities and threads. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { readFirst } from "../../platform/ResultSize.ts"
import { Thread } from "../conversations/Thread.ts"
import { Entities } from "../entities/Entities.ts"
import { Records } from "../records/Records.ts"
import { type Activity, latestActivities } from "./Activity.ts"
import { ContextApi } from "./ContextApi.ts"

// The maximum number of entities that the handler reads. This is more than the answer shows, because the handler later
// drops entities of other people.
const entitiesMax = 100
const threadsMax = 5

export const layer = implement(
  ContextApi,
  Effect.gen(function* () {
    const entities = yield* Entities
    const records = yield* Records

    return {
      "users.context": Effect.fnUntraced(function* ({ path: { userId } }) {
        const { principal } = yield* Reach
        const entityPage = yield* readFirst(entitiesMax, (limit) =>
          entities.list({ scope: "all", includePodWide: true, limit, offset: 0 })
        )
        const threads = yield* records.list(Thread, { where: { userId: principal.personId }, limit: threadsMax })
        const activities: ReadonlyArray<Activity> = [
          ...entityPage.items
            .filter((entity) => entity.userId === principal.personId)
            .map(({ createdAt, id, profileSlug, title, workspaceId }) => ({
              type: "entity_created" as const,
              timestamp: createdAt,
              data: { id, title, profileSlug, workspaceId }
            })),
          ...threads.items.map(({ id, title, updatedAt, workspaceId }) => ({
            type: "thread_updated" as const,
            timestamp: updatedAt,
            data: { id, title, workspaceId }
          }))
        ]
        return { userId, preferences: {}, recentActivity: latestActivities(activities) }
      })
    }
  })
)
