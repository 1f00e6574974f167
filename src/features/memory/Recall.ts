/**
 * Finds facts by words and by vectors in the indexes of this process. The store then checks the access of the caller
 * and returns the rows of the facts.
 */
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { analyse } from "../search/text/Analyser.ts"
import type { FactIndex } from "./FactIndex.ts"
import { FactSpaces } from "./FactSpaces.ts"
import { holdsAt, isNarrowed } from "./FactTimes.ts"
import { FactVectors } from "./FactVectors.ts"
import { fuseRankings, rankingEntriesMax, type ScoredNames } from "../search/vectors/Fusion.ts"
import type { KeptFact } from "./MemoryFact.ts"
import type { FactFilters } from "./MemoryQuery.ts"
import { memoryBounds } from "./FactTable.ts"
import { MemoryStore } from "./MemoryStore.ts"
import { cosine } from "../search/vectors/PackedVector.ts"
import { type Scored, TopScores } from "../search/vectors/TopScores.ts"

export interface RankedFact {
  readonly fact: KeptFact
  readonly score: number
}

export interface Question extends FactFilters {
  readonly limit: number
  readonly offset?: number
}

export class TooManyFacts extends Data.TaggedError("TooManyFacts")<{ readonly count: number }> {}

export class Recall extends Context.Tag("pod/Recall")<
  Recall,
  {
    /**
     * Returns the facts whose words match a question best, best first. If the question has no content word, returns the
     * newest facts.
     */
    readonly byWords: (text: string, question: Question) => Effect.Effect<ReadonlyArray<RankedFact>, never, Reach>
    /** Returns the facts whose vectors are nearest to `vector` by cosine. Returns no facts for a vector of zeros. */
    readonly byVector: (
      vector: ReadonlyArray<number>,
      question: Question
    ) => Effect.Effect<ReadonlyArray<RankedFact>, never, Reach>
    /**
     * Returns the facts that are valid now and whose own text contains every word of `text`. If there are more than
     * `limit` such facts, fails with TooManyFacts before it reads the rows.
     */
    readonly withEveryWord: (text: string, limit: number) => Effect.Effect<ReadonlyArray<KeptFact>, TooManyFacts, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* MemoryStore
      const spaces = yield* FactSpaces
      const meanings = yield* FactVectors

      const mayRead = Effect.map(Reach, (reach) => memoryBounds(reach, "read").spaces.length > 0)

      /**
       * Reads the facts of a ranking from the store. Leaves out a fact if it has changed after the ranking and no
       * longer matches the question.
       */
      const fetched = Effect.fnUntraced(function* (ranking: ReadonlyArray<Scored>, question: FactFilters) {
        if (ranking.length === 0) return []
        const now = yield* DateTime.now
        const rows = yield* store.byIds(
          ranking.map(({ id }) => id),
          "read"
        )
        const facts = new Map(rows.map((fact) => [fact.id, fact]))
        return ranking.flatMap(({ id, score }) => {
          const fact = facts.get(id)
          const isAsked = fact !== undefined && holdsAt(fact, question.asOf, now) && isNarrowed(fact, question)
          return isAsked ? [{ fact, score }] : []
        })
      })

      /**
       * Returns a function that takes the id of a fact. The function returns true if the fact is valid at the time of
       * the question and matches the filters.
       */
      const isWantedId = (index: FactIndex, question: FactFilters, now: DateTime.Utc) => (id: string) => {
        const fact = index.get(id)
        return fact !== undefined && holdsAt(fact, question.asOf, now) && isNarrowed(fact, question)
      }

      const nearest = Effect.fnUntraced(function* (
        vector: ReadonlyArray<number>,
        limit: number,
        question: FactFilters
      ) {
        const { index } = yield* spaces.facts
        const vectors = yield* spaces.vectors
        const now = yield* DateTime.now
        const candidates = vectors.nearest(vector, limit, isWantedId(index, question, now))
        const floats = candidates.length === 0 ? [] : yield* store.vectors(candidates.map(({ id }) => id))
        const top = new TopScores(limit)
        for (const { floats: stored, id } of floats) top.add({ id, score: cosine(vector, stored) })
        return top.best
      })

      const newest = ({ asOf, level, limit, offset = 0, sessionId, trust }: Question) =>
        Effect.map(store.list({ asOf, level, limit, offset, sessionId, trust }), ({ items }) =>
          items.map((fact) => ({ fact, score: 0 }))
        )

      return {
        byWords: Effect.fnUntraced(function* (text, question) {
          if (analyse(text).length === 0) return yield* newest(question)
          if (!(yield* mayRead)) return []
          const { limit, offset = 0 } = question
          const { index } = yield* spaces.facts
          const now = yield* DateTime.now
          const isWanted = (fact: KeptFact) => isNarrowed(fact, question)
          const candidatesLimit = Math.max(limit + offset, rankingEntriesMax)
          const byMeaning = yield* meanings.nearest(text, candidatesLimit, isWantedId(index, question, now))
          const times = { asOf: question.asOf, now, isWanted }
          const ranking = Option.match(byMeaning, {
            onNone: () => index.rank(text, limit + offset, times),
            onSome: (near) =>
              mergeRankings(index.rank(text, candidatesLimit, times), near, meanings.share).slice(0, limit + offset)
          })
          return yield* fetched(ranking.slice(offset), question)
        }),
        byVector: Effect.fnUntraced(function* (vector, question) {
          if (!(yield* mayRead)) return []
          return yield* fetched(yield* nearest(vector, question.limit, question), question)
        }),
        withEveryWord: Effect.fnUntraced(function* (text, limit) {
          if (!(yield* mayRead) || analyse(text).length === 0) return []
          const { index } = yield* spaces.facts
          const found = index.withEveryWord(text, yield* DateTime.now)
          if (found.length > limit) return yield* new TooManyFacts({ count: found.length })
          return (yield* fetched(
            found.map(({ id }) => ({ id, score: 0 })),
            {}
          )).map(({ fact }) => fact)
        })
      }
    })
  )
}

const scoredNamesOf = (ranking: ReadonlyArray<Scored>): ScoredNames => ranking.map(({ id, score }) => [id, score])

/** Merges the rankings by words and by meaning, best first. `share` is the weight of the ranking by meaning. */
const mergeRankings = (
  byWords: ReadonlyArray<Scored>,
  near: ReadonlyArray<Scored>,
  share: number
): ReadonlyArray<Scored> => {
  const top = new TopScores(2 * rankingEntriesMax)
  for (const [id, score] of fuseRankings(scoredNamesOf(byWords), scoredNamesOf(near), share)) top.add({ id, score })
  return top.best
}
