/** The store that counts recent posts for the limits. All nodes share the counts, and the counts survive a restart. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import { memoryStatements } from "../events/EventTable.ts"
import { limits, type ReachedLimit } from "./ProactivePost.ts"

export class PostCountStore extends Context.Tag("pod/PostCountStore")<
  PostCountStore,
  {
    /**
     * Counts one more post to the caller's person, and returns null. The post is about the given workspace. If a limit
     * is reached, counts nothing and returns the name of this limit. The caller must hold a lock, so that two calls for
     * the same person and workspace never run at the same time.
     */
    readonly take: (workspaceId: string) => Effect.Effect<ReachedLimit | null, never, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ write }) => ({
      take: (workspaceId) =>
        write(({ now, reach, rows }) => {
          const { personId } = reach.principal
          if (!reach.bounds("channel", "read").spaces.includes(personId))
            return Effect.succeed<ReachedLimit | null>("hour")
          const since = (hours: number) => DateTime.subtract(now, { hours })
          const posts = rows
            .all(postTable)
            .filter((post) => post.personId === personId && post.workspaceId === workspaceId)
            .filter(({ postedAt }) => DateTime.greaterThan(postedAt, since(24)))
          const inLastHour = posts.filter(({ postedAt }) => DateTime.greaterThan(postedAt, since(1)))
          if (posts.length >= limits.day) return Effect.succeed<ReachedLimit | null>("day")
          if (inLastHour.length >= limits.hour) return Effect.succeed<ReachedLimit | null>("hour")
          rows.put(postTable, { id: uuidv7(), personId, workspaceId, postedAt: now })
          return Effect.succeed<ReachedLimit | null>(null)
        })
    }))
  )
}

interface Post {
  readonly id: string
  readonly personId: string
  readonly workspaceId: string
  readonly postedAt: DateTime.Utc
}

const postTable = memoryTable<Post>("proactive_posts", ({ id }) => id)
