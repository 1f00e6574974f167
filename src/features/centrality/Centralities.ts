/** Ranks the entities that a caller reads by how they are connected: in a job, at most once a minute for a person. */
import { Cause, Clock, Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { PersonReach } from "../people/PersonReach.ts"
import { CentralityQueue } from "./CentralityQueue.ts"
import type { CentralityStatus, CentralityTrigger } from "./Centrality.ts"
import { CentralityStore } from "./CentralityStore.ts"
import { pageRank } from "./PageRank.ts"

const restMs = 60_000 // between two computations for one person

const without = (note: string): CentralityStatus => ({
  computed: false,
  rows: 0,
  lastComputedAt: null,
  oldestComputedAt: null,
  top: [],
  note
})

const notYet = without(
  "The pod has not computed the ranking yet. POST /api/hub/centrality/recompute starts the computation."
)
const unreadable = without("The pod cannot read the ranking now. Try again later.")
const tooSoon: CentralityTrigger = {
  triggered: false,
  note: "The pod computed the ranking less than a minute ago. Try again in a minute."
}

const unavailable: CentralityTrigger = { triggered: false, note: "It cannot be computed now. Try again later." }

const work = { operation: "centrality.compute", reason: "rank the entities that a person reads" }

/** A dead credential and an interruption are not failures of the ranking. */
const isOfCaller = (cause: Cause.Cause<unknown>) =>
  Cause.isInterrupted(cause) || [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost)

/** What the person may read changed while the ranking was computed, so it is computed again. */
class AccessChanged extends Data.TaggedError("AccessChanged") {}

export class Centralities extends Context.Tag("pod/Centralities")<
  Centralities,
  {
    /** Answers a note instead of failing, where the ranking cannot be read. */
    readonly status: Effect.Effect<CentralityStatus, never, Reach>
    /** Enqueues a job and does not wait for it. Two requests at once compute once. */
    readonly recompute: Effect.Effect<CentralityTrigger, never, Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* CentralityStore
      const jobs = yield* Jobs
      const people = yield* PersonReach

      const isFresh = Effect.zipWith(
        store.ranking,
        Clock.currentTimeMillis,
        (ranking, now) => ranking !== null && now - DateTime.toEpochMillis(ranking.computedAt) < restMs
      )

      /** What the person reads now is ranked, and kept if the access of the person is still the same then. */
      const compute = (personId: string) =>
        Effect.gen(function* () {
          const reach = yield* people.of(personId, work)
          if (Option.isNone(reach)) return
          yield* Effect.gen(function* () {
            // A job that was enqueued while another one of the person ran finds its work done.
            if (yield* isFresh) return
            const scores = pageRank(yield* store.edges)
            const later = yield* people.of(personId, work)
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
              : Effect.as(Effect.logWarning("a ranking cannot be read", cause), unreadable)
          )
        ),
        recompute: Effect.gen(function* () {
          const { personId } = (yield* Reach).principal
          if (yield* isFresh) return tooSoon
          yield* jobs.enqueue(CentralityQueue, { personId }, { singletonKey: personId })
          return { triggered: true }
        }).pipe(Effect.catchTag("JobsUnavailable", () => Effect.succeed(unavailable)))
      }
    })
  )
}
