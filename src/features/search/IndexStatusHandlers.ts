/** The handlers of the procedures about the state of the search index. */
import { Effect } from "effect"
import { implementProcedures } from "../../doors/Implement.ts"
import { IndexStatus } from "./IndexStatus.ts"
import { IndexStatusProcedures } from "./IndexStatusRpc.ts"

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

export const layer = implementProcedures(
  IndexStatusProcedures,
  Effect.map(IndexStatus, ({ rebuild, spaces, waiting }) => ({
    "typesense.getStats": () =>
      Effect.map(spaces, (found) => ({
        engine: "pod" as const,
        objects: sum(found.map(({ objects }) => objects)),
        spaces: found
      })),
    "typesense.getQueueStatus": () =>
      Effect.map(waiting, (found) => ({
        waiting: sum(found.map((space) => (space.waiting ?? 0) + (space.vectorsWaiting ?? 0))),
        spaces: found
      })),
    "typesense.initializeCollections": () =>
      Effect.map(rebuild, (found) => {
        const objects = sum(found.map((space) => space.objects))
        const loading = found.filter(({ status }) => status === "loading").length
        const rest = loading === 0 ? "" : ` The pod is still reading ${loading} of these spaces.`
        return {
          status: "initialized" as const,
          message: `The pod has built the search indexes of ${found.length} of your spaces again, with ${objects} objects.${rest}`
        }
      })
  }))
)
