/** The probes of the search indexes, the models and the jobs. Every pod has these probes. */
import { Effect, Layer, Option } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { deadLetterQueue } from "../../platform/jobs/JobQueue.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { Embeddings } from "../../platform/models/Embeddings.ts"
import type { ModelFailure, ModelNotConfigured } from "../../platform/models/ModelFailure.ts"
import { shownCount } from "../../doors/Page.ts"
import { figureForOwner } from "../people/PodOwner.ts"
import { Embedder } from "../search/Embedder.ts"
import { SearchIndexes } from "../search/SearchIndexes.ts"
import { Dependencies, type ProbeAnswer } from "./Dependencies.ts"

/**
 * Makes the result of a successful probe. Its field `reason` has figures, such as sizes of indexes or numbers of jobs,
 * but only for the owner of the pod.
 */
const toOwner = (figures: string) =>
  Effect.map(figureForOwner(figures, null), (reason): ProbeAnswer => ({ state: "ok", reason }))

// This limit is shorter than the limit of the health check. So a slow probe ends first, and it can say why it failed.
const probeMax = "1500 millis"

const answerOf = (
  probe: Effect.Effect<void, ModelFailure | ModelNotConfigured>,
  model: string | undefined
): Effect.Effect<ProbeAnswer> =>
  probe.pipe(
    Effect.as<ProbeAnswer>({ state: "ok", serviceId: model ?? null }),
    Effect.timeoutTo({
      duration: probeMax,
      onSuccess: (answer) => answer,
      onTimeout: (): ProbeAnswer => ({ state: "down", reason: "The model service did not answer in time." })
    }),
    Effect.catchTags({
      ModelNotConfigured: () =>
        Effect.succeed<ProbeAnswer>({ state: "not_configured", reason: "This pod runs without the model service." }),
      ModelFailure: ({ message }) => Effect.succeed<ProbeAnswer>({ state: "down", reason: message })
    })
  )

/** The probe of the search indexes. They are a part of this process, so the probe always succeeds. */
const searchIndex = Dependencies.probing(
  Effect.map(SearchIndexes, ({ size }) => ({
    name: "search-index",
    check: () =>
      Effect.flatMap(size, ({ bytes, spaces }) =>
        toOwner(
          `The search index of ${spaces} ${spaces === 1 ? "space" : "spaces"} is in memory and takes about ${Math.round(bytes)} bytes.`
        )
      )
  }))
)

/**
 * Probes the embedding model. Also reports which share of all changed texts the model has read. Before the model has
 * read a text, a search finds the text only by its words.
 */
const embeddingService = Dependencies.probing(
  Effect.gen(function* () {
    const { get } = yield* Embeddings
    const { progress } = yield* Embedder
    const percent = Effect.map(progress, (share) =>
      Option.match(share, {
        onNone: () => null,
        onSome: (done) => `The embedding model has read ${Math.floor(done * 100)} % of all changed texts.`
      })
    ).pipe(Effect.catchAllDefect(() => Effect.succeed(null))) // If the database is down, the report has no percentage.
    return {
      name: "embedding-service",
      check: () =>
        Effect.zipWith(
          Effect.flatMap(get, ({ model, probe }) => answerOf(probe, model)),
          percent,
          (answer, reason) => ({ reason, ...answer })
        )
    }
  })
)

/**
 * Probes the language model. The probe uses no tokens. If it fails, the reason is one of the pod's own fixed sentences,
 * and never a text from the service.
 */
const modelService = Dependencies.probing(
  Effect.map(LanguageModel, (languageModel) => ({
    name: "model-service",
    // The check reads the name each time, because the owner might have switched the model.
    check: () => Effect.flatMap(languageModel.model, (name) => answerOf(languageModel.probe, name ?? ""))
  }))
)

/**
 * Reports how many jobs wait, and for how long the oldest of these jobs has been ready to run. Counts separately the
 * jobs that the pod no longer attempts, because these jobs wait for a person and not for a worker.
 */
const jobs = Dependencies.probing(
  Effect.map(Jobs, ({ states }) => ({
    name: "jobs",
    check: () =>
      Effect.flatMap(states, (all) => {
        const queues = all.filter(({ queue }) => queue !== deadLetterQueue)
        const waiting = queues.reduce((sum, each) => sum + each.waiting, 0)
        const oldest = Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0))
        const dead = all.find(({ queue }) => queue === deadLetterQueue)?.waiting ?? 0
        return toOwner(
          `${shownCount(waiting)} jobs wait, the oldest for ${Math.round(oldest)} seconds; ${shownCount(dead)} jobs failed for good.`
        )
      })
  }))
)

export const layer = Layer.mergeAll(searchIndex, embeddingService, modelService, jobs)
