/** Makes vectors of each person's facts with an embedding model, and finds the facts that are nearest to a question. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Id } from "../../doors/Id.ts"
import { noClient, Reach, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { jobQueue } from "../../platform/jobs/JobQueue.ts"
import { type EmbedWork, embedQueueRules, startEmbedding, type VectorsOf } from "../search/EmbedWork.ts"
import { QuestionVectors } from "../search/QuestionVectors.ts"
import { fingerprintOf } from "../search/Source.ts"
import type { Scored } from "../search/vectors/TopScores.ts"
import { VectorIndex } from "../search/vectors/VectorIndex.ts"
import {
  factModel,
  firstPlace,
  type VectorHead,
  type VectorPlace,
  Vectors,
  type VectorWrite
} from "../search/Vectors.ts"
import { contentOf } from "./FactWords.ts"
import type { KeptFact } from "./MemoryFact.ts"
import { MemoryStore, type FactPosition } from "./MemoryStore.ts"
import { shortenText } from "../../platform/StoredText.ts"
import { readAtMost } from "../../platform/ResultSize.ts"

const queue = jobQueue({
  name: "memory.embed",
  payload: Schema.Struct({ spaceId: Id }),
  ...embedQueueRules
})

// the maximum number of facts that one embedding step reads
const factsAtOnce = 250
// the maximum number of characters of a fact that the pod sends to the model
const charactersMax = 6000
// the maximum number of vectors that one statement reads
const vectorsAtOnce = 250
// The maximum number of bytes of memory for vectors. If the vectors need more, the pod drops the least recently used
// vectors.
const bytesMax = 128 * 2 ** 20

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * Returns the rights with which the pod itself makes and compares the vectors of one person. Another check, with the
 * caller's own rights, decides which facts the caller sees.
 */
const vectorReach = (personId: string) =>
  systemReach("vectors of the person's facts", personId, [personId], {
    operation: "memory.embed",
    requestId: uuidv7(),
    client: noClient
  })

const textOf = (fact: KeptFact): string => shortenText(contentOf(fact), charactersMax)

interface SpaceVectors {
  index: VectorIndex | undefined
  reached: VectorPlace
}

type Nearest = (
  question: string,
  limit: number,
  isWanted: (id: string) => boolean
) => Effect.Effect<Option.Option<ReadonlyArray<Scored>>, never, Reach>

export class FactVectors extends Context.Tag("pod/FactVectors")<
  FactVectors,
  {
    /** The weight of the vectors in a score, from 0 to 1. The weight of the words is 1 minus this weight. */
    readonly share: number
    /**
     * Searches the facts of the caller's person. Finds the facts whose vectors are nearest to the question, best first.
     * Considers only facts that `isWanted` accepts. Returns None in three cases: the pod has no embedding model, the
     * pod has not made all vectors of the person yet, or the model service does not answer.
     */
    readonly nearest: Nearest
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const questions = yield* QuestionVectors
      const { share } = questions
      const store = yield* Vectors
      const facts = yield* MemoryStore

      const headOf = (model: string, personId: string) =>
        Effect.map(
          store.heads(model, [personId]),
          ([head]): VectorHead => head ?? { spaceId: personId, seq: 0, revision: 0, isComplete: false }
        )

      /**
       * Makes the vectors of these facts and stores them, together with the progress of the model (see `VectorWrite`).
       */
      const make = Effect.fnUntraced(function* (
        write: Pick<VectorWrite, "isComplete" | "model" | "seq" | "spaceId">,
        read: ReadonlyArray<KeptFact>,
        vectorsOf: VectorsOf
      ) {
        const objectIds = read.map(({ id }) => id)
        const known = objectIds.length === 0 ? [] : yield* store.placesOf(write.model, write.spaceId, objectIds)
        const fingerprints = new Map(known.map(({ fingerprint, objectId }) => [objectId, fingerprint]))
        const places = read
          .map((fact) => ({
            objectId: fact.id,
            start: 0,
            fingerprint: fingerprintOf("", textOf(fact)),
            text: textOf(fact)
          }))
          .filter(({ text }) => text.trim() !== "")
        const vectors = yield* vectorsOf(
          places.filter(({ fingerprint, objectId }) => fingerprints.get(objectId) !== fingerprint)
        )
        yield* store.keep({ ...write, objectIds, places, vectors })
      })

      /**
       * Makes the vectors of the next batch of facts, in the order of their last write. The head is the number of the
       * last write whose facts all have vectors. If a write has more facts than a batch, the step reads several
       * batches, until the end of the write. If the process stops before that, the next step reads the write again and
       * skips the facts that already have vectors.
       */
      const step: EmbedWork["step"] = (name, personId, vectorsOf) =>
        Effect.gen(function* () {
          const model = factModel(name)
          const head = yield* headOf(model, personId)
          let place: FactPosition = { seq: head.seq, id: lastId }
          for (;;) {
            const { found: rows, limit } = yield* readAtMost(factsAtOnce, (most) => facts.since(place, most))
            const last = rows.at(-1) ?? place
            if (last === place && place.seq === head.seq && head.isComplete) return false
            const isComplete = rows.length < limit
            const whole = isComplete ? rows : rows.filter(({ seq }) => seq !== last.seq)
            const isPart = !isComplete && whole.length === 0
            const seq = isPart ? head.seq : (whole.at(-1) ?? place).seq
            yield* make({ spaceId: personId, model, seq, isComplete }, isPart ? rows : whole, vectorsOf)
            if (!isPart) return !isComplete
            place = { seq: last.seq, id: last.id }
          }
        }).pipe(Effect.provideService(Reach, vectorReach(personId)))
      const { wake } = yield* startEmbedding({
        queue,
        spacesWithoutVectors: (name, limit) => facts.withoutVectors(factModel(name), limit),
        step
      })

      let keptModel: string | undefined
      const spaces = new Map<string, SpaceVectors>()
      const spaceOf = (model: string, personId: string): SpaceVectors => {
        if (model !== keptModel) spaces.clear()
        keptModel = model
        const space = spaces.get(personId) ?? { index: undefined, reached: firstPlace }
        spaces.delete(personId)
        spaces.set(personId, space)
        return space
      }
      const evict = (personId: string) => {
        let bytes = [...spaces.values()].reduce((sum, { index }) => sum + (index?.bytes ?? 0), 0)
        for (const [oldest, { index }] of spaces) {
          if (bytes <= bytesMax || oldest === personId) return
          spaces.delete(oldest)
          bytes -= index?.bytes ?? 0
        }
      }

      /**
       * Reads the new vectors of a person from the store into the cache of this process. Then returns all vectors of
       * the person from the cache.
       */
      const vectorsOf = Effect.fnUntraced(function* (model: string, personId: string, { revision }: VectorHead) {
        const space = spaceOf(model, personId)
        while (space.reached.revision < revision) {
          const rows = yield* store.since(model, personId, space.reached, vectorsAtOnce)
          for (const { objectId, vector } of rows) {
            space.index ??= new VectorIndex(vector.bytes.length)
            if (vector.bytes.length === space.index.dimensions) space.index.put({ id: objectId, ...vector })
          }
          // If the store returns no row, the later revisions have no vectors. So the cached vectors are up to date.
          space.reached = rows.at(-1) ?? { revision, objectId: lastId, start: 0 }
          evict(personId)
        }
        return space.index
      })

      const nearest: Nearest = (question, limit, isWanted) =>
        Effect.flatMap(Reach, ({ principal: { personId } }) =>
          Effect.gen(function* () {
            const name = yield* questions.model
            if (name === undefined) return Option.none()
            const head = yield* headOf(factModel(name), personId)
            if (!head.isComplete) return yield* Effect.as(wake, Option.none())
            const questionVector = yield* questions.of(question)
            if (questionVector?.model !== name) return Option.none()
            const index = yield* vectorsOf(factModel(name), personId, head)
            return Option.some(index?.nearest(questionVector.vector, limit, isWanted) ?? [])
          }).pipe(Effect.provideService(Reach, vectorReach(personId)))
        )
      return { share, nearest }
    })
  )
}
