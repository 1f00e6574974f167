/** Ranks the entities that a caller reads by how they are connected: computed at most once a minute for a person. */
import { Cause, Clock, Context, DateTime, Effect, Layer } from "effect"
import { AuthorityLost } from "../../doors/Authority.ts"
import { Reach } from "../../doors/Reach.ts"
import type { CentralityStatus, CentralityTrigger } from "./Centrality.ts"
import { CentralityStore } from "./CentralityStore.ts"
import { inBackground } from "./InBackground.ts"
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

/** A dead credential and an interruption are not failures of the ranking. */
const isOfCaller = (cause: Cause.Cause<unknown>) =>
  Cause.isInterrupted(cause) || [...Cause.defects(cause)].some((defect) => defect instanceof AuthorityLost)

export class Centralities extends Context.Tag("pod/Centralities")<
  Centralities,
  {
    /** Answers a note instead of failing, where the ranking cannot be read. */
    readonly status: Effect.Effect<CentralityStatus, never, Reach>
    /** Two requests at once compute once. */
    readonly recompute: Effect.Effect<CentralityTrigger, never, Reach>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const store = yield* CentralityStore
      const run = inBackground(yield* Effect.scope)
      /** By person: when the latest computation of this process began. */
      const begun = new Map<string, number>()
      const running = new Set<string>()

      const compute = Effect.flatMap(store.edges, (edges) => store.keep(pageRank(edges)))

      const hasRested = (personId: string, now: number) => now - (begun.get(personId) ?? -restMs) >= restMs

      /** Whether another process computed it within the last minute. */
      const isKept = (now: number) =>
        Effect.map(
          store.ranking,
          (ranking) => ranking !== null && now - DateTime.toEpochMillis(ranking.computedAt) < restMs
        )

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
          const { principal } = yield* Reach
          const { personId } = principal
          const now = yield* Clock.currentTimeMillis
          if (running.has(personId)) return { triggered: true }
          if (!hasRested(personId, now)) return tooSoon
          // Taken before anything waits, so that two requests at once do not both begin.
          running.add(personId)
          begun.set(personId, now)
          const free = Effect.sync(() => void running.delete(personId))
          if (yield* Effect.onError(isKept(now), () => free)) return yield* Effect.as(free, tooSoon)
          yield* run(Effect.ensuring(compute, free))
          return { triggered: true }
        })
      }
    })
  )
}
