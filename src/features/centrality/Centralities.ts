/**
 * Ranks entities by their relations. Each person gets a ranking of the entities that the person may read. A job
 * computes the ranking, at most once a minute for each person.
 */
import { Cause, Clock, Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { inSlices } from "../../platform/InSlices.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { CentralityQueue } from "./CentralityQueue.ts"
import type { CentralityStatus, CentralityTrigger } from "./Centrality.ts"
import { CentralityStore } from "./CentralityStore.ts"
import { pageRank } from "./PageRank.ts"

const restMs = 60_000 // milliseconds; the minimum time between two computations for one person

const emptyStatus = (note: string): CentralityStatus => ({
  computed: false,
  rows: 0,
  lastComputedAt: null,
  oldestComputedAt: null,
  top: [],
  note
})

const notYet = emptyStatus(
  "The pod has not computed the ranking yet. POST /api/hub/centrality/recompute starts the computation."
)
const unreadableStatus = emptyStatus("The pod cannot read the ranking now. Try again later.")
const tooSoon: CentralityTrigger = {
  triggered: false,
  note: "The pod computed the ranking less than a minute ago. Try again in a minute."
}

const unavailableTrigger: CentralityTrigger = {
  triggered: false,
  note: "The pod cannot compute the ranking now. Try again later."
}

const work = {
  operation: "centrality.compute",
  reason: "rank the entities that a person reads",
  scope: "hub-protocol.read" as const
}

/**
 * Returns true if the failure comes from the call and not from the ranking: the call was interrupted, or its credential
 * is no longer valid.
 */
const isOfCaller = (cause: Cause.Cause<unknown>) =>
  Cause.isInterrupted(cause) || [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost)

/**
 * This failure means that the access of the person changed while the job computed the ranking. The job then computes
 * the ranking again.
 */
class AccessChanged extends Data.TaggedError("AccessChanged") {}

export class Centralities extends Context.Tag("pod/Centralities")<
  Centralities,
  {
    /**
     * Returns the state of the ranking. If the pod cannot read the ranking, the answer says so, and the call does not
     * fail.
     */
    readonly status: Effect.Effect<CentralityStatus, never, Reach>
    /**
     * Enqueues a job and does not wait for the end of the job. Two simultaneous requests cause only one computation.
     */
    readonly recompute: Effect.Effect<CentralityTrigger, never, Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* CentralityStore
      const jobs = yield* Jobs
      const standing = yield* StandingReach

      const isFresh = Effect.zipWith(
        store.ranking,
        Clock.currentTimeMillis,
        (ranking, now) => ranking !== null && now - DateTime.toEpochMillis(ranking.computedAt) < restMs
      )

      /**
       * Ranks the entities that the person may read now. Stores the ranking only if the person's access has not changed
       * meanwhile.
       */
      const compute = Effect.fnUntraced(function* (personId: string) {
        const reach = yield* standing.of({ personId, keyId: null }, work)
        if (Option.isNone(reach)) return
        yield* Effect.gen(function* () {
          // Another job of the same person possibly ran while this job waited, and computed the ranking already.
          if (yield* isFresh) return
          const scores = yield* inSlices(pageRank(yield* store.edges))
          const later = yield* standing.of({ personId, keyId: null }, work)
          if (Option.isNone(later)) return
          if (later.value.principal.epoch !== reach.value.principal.epoch) {
            return yield* new AccessChanged()
          }
          yield* store.keep(scores)
        }).pipe(Effect.provideService(Reach, reach.value))
      })
      yield* Effect.orDie(jobs.work(CentralityQueue, ({ personId }) => compute(personId)))

      return {
        status: store.ranking.pipe(
          Effect.map((ranking) =>
            ranking === null
              ? notYet
              : {
                  computed: true,
                  rows: ranking.rows,
                  lastComputedAt: ranking.computedAt,
                  oldestComputedAt: ranking.computedAt,
                  top: ranking.top
                }
          ),
          Effect.catchAllCause((cause) =>
            isOfCaller(cause)
              ? Effect.failCause(cause)
              : Effect.as(Effect.logWarning("a ranking cannot be read", cause), unreadableStatus)
          )
        ),
        recompute: Effect.gen(function* () {
          const { personId } = (yield* Reach).principal
          if (yield* isFresh) return tooSoon
          yield* jobs.enqueue(CentralityQueue, { personId }, { singletonKey: personId })
          return { triggered: true }
        }).pipe(Effect.catchTag("JobsUnavailable", () => Effect.succeed(unavailableTrigger)))
      }
    })
  )
}
