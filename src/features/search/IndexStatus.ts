/**
 * Shows how far the search index of this process has read the caller's spaces. Lets the owner of the pod start the
 * indexing again.
 */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { workspaceIdOf } from "../../doors/OwnSpace.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { EventLog } from "../events/EventLog.ts"
import { ownSpacePass } from "../gate/OwnSpacePass.ts"
import { administratorsOnly } from "../people/PodOwner.ts"
import type { IndexedSpace, WaitingSpace } from "./IndexStatusRpc.ts"
import { QuestionVectors } from "./QuestionVectors.ts"
import { SearchIndexes } from "./SearchIndexes.ts"
import { type Head, SearchStore } from "./SearchStore.ts"
import { Vectors } from "./Vectors.ts"

// the pod stops counting the changes of a space at this number
const countMax = 1000

export class IndexStatus extends Context.Tag("pod/IndexStatus")<
  IndexStatus,
  {
    /**
     * The state of each space of the caller. The index first reads each space up to its last event. If this takes too
     * long, the state is `loading`, and the index continues to read in the background.
     */
    readonly spaces: Effect.Effect<ReadonlyArray<IndexedSpace>, never, Reach>
    /**
     * The number of changes in the caller's spaces that the index and the embedding model have not read yet. This
     * method only counts, and reads nothing into an index.
     */
    readonly waiting: Effect.Effect<ReadonlyArray<WaitingSpace>, never, Reach>
    /**
     * Drops every index of this process and reads the indexes of the caller's spaces again. Returns the states of these
     * spaces.
     */
    readonly rebuild: Effect.Effect<ReadonlyArray<IndexedSpace>, Forbidden | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* SearchStore
      const indexes = yield* SearchIndexes
      const vectors = yield* Vectors
      const questions = yield* QuestionVectors
      const log = yield* EventLog
      const passFor = yield* ownSpacePass("search_index", { subject: "workspace", actions: ["update"] })

      const stateOf = Effect.fnUntraced(function* (head: Head) {
        const { principal } = yield* Reach
        const about = { workspaceId: workspaceIdOf(head.spaceId, principal.personId), language: head.language }
        return yield* indexes
          .reading([head], ([space]) =>
            Effect.succeed({
              ...about,
              objects: space.index.size,
              status: space.index.isIncomplete ? ("full" as const) : ("ready" as const)
            })
          )
          .pipe(
            Effect.catchTag("IndexLoading", () => Effect.succeed({ ...about, objects: 0, status: "loading" as const }))
          )
      })

      /** Counts the objects that have changed after the event number `seq` and that the caller may read. */
      const changedSince = Effect.fnUntraced(function* (spaceId: string, seq: number) {
        const laterEvents = yield* store.eventsAfter(spaceId, seq, countMax)
        const ids = [...new Set(laterEvents.flatMap(({ subjectId }) => subjectId ?? []))]
        return ids.length === 0 ? 0 : (yield* store.sources(spaceId, ids)).length
      })

      /**
       * The number of the last event of each space (its head), sorted by the id of the space. The database returns
       * these numbers in any order. A change of that order would show the caller that somebody wrote rows.
       */
      const ordered = Effect.map(store.heads(null), (heads) =>
        heads.toSorted((one, other) => (one.spaceId < other.spaceId ? -1 : 1))
      )
      const spaces = Effect.flatMap(ordered, (heads) => Effect.forEach(heads, stateOf, { concurrency: 4 }))

      return {
        spaces,
        waiting: Effect.gen(function* () {
          const { principal } = yield* Reach
          const model = yield* questions.model
          const heads = yield* ordered
          const ids = heads.map(({ spaceId }) => spaceId)
          const read = model === undefined || ids.length === 0 ? [] : yield* vectors.heads(model, ids)
          const vectorSeq = new Map(read.map(({ seq, spaceId }) => [spaceId, seq]))
          return yield* Effect.forEach(
            heads,
            Effect.fnUntraced(function* ({ spaceId }) {
              const indexSeq = yield* indexes.readUpTo(spaceId)
              return {
                workspaceId: workspaceIdOf(spaceId, principal.personId),
                waiting: indexSeq === undefined ? null : yield* changedSince(spaceId, indexSeq),
                vectorsWaiting: model === undefined ? null : yield* changedSince(spaceId, vectorSeq.get(spaceId) ?? 0)
              }
            }),
            { concurrency: 4 }
          )
        }),
        rebuild: Effect.gen(function* () {
          const { personId } = (yield* Reach).principal
          const passed = yield* passFor("update")
          yield* administratorsOnly("can rebuild the search index")
          yield* log.append(personId, { type: "search_index.update", data: {} }, passed)
          yield* indexes.drop
          return yield* spaces
        })
      }
    })
  )
}
