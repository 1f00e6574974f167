/** The probes of what every pod has or can be given: its indexes of search, its language model, its jobs. */
import { Effect, Layer } from "effect"
import { Reach } from "../../doors/Reach.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { deadLetterQueue } from "../../platform/jobs/JobQueue.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { SearchIndexes } from "../search/SearchIndexes.ts"
import { Dependencies, type ProbeAnswer } from "./Dependencies.ts"

/** How much others have and do is told to the owner of the pod alone: sizes of indexes and numbers of jobs change with it. */
const toOwner = (reason: string) =>
  Effect.map(Reach, ({ principal: { isPodOwner } }): ProbeAnswer => ({
    state: "ok",
    reason: isPodOwner ? reason : null
  }))

const probeMost = "1500 millis" // less than health waits, so that the reason names the service

/** The indexes are a part of this process, so they are always reachable. */
const searchIndex = Dependencies.probing(
  Effect.map(SearchIndexes, ({ size }) => ({
    name: "search-index",
    check: () =>
      Effect.flatMap(size, ({ bytes, spaces }) =>
        toOwner(`${spaces} ${spaces === 1 ? "space" : "spaces"} in memory, about ${Math.round(bytes)} bytes.`)
      )
  }))
)

/** Spends no tokens. Why a call failed is one of the pod's own fixed sentences, and never a text of the service. */
const modelService = Dependencies.probing(
  Effect.map(LanguageModel, ({ model, probe }) => ({
    name: "model-service",
    check: () =>
      probe.pipe(
        Effect.as<ProbeAnswer>({ state: "ok", serviceId: model ?? null }),
        Effect.timeoutTo({
          duration: probeMost,
          onSuccess: (answer) => answer,
          onTimeout: (): ProbeAnswer => ({ state: "down", reason: "The model service did not answer in time." })
        }),
        Effect.catchTags({
          ModelNotConfigured: () =>
            Effect.succeed<ProbeAnswer>({ state: "not_configured", reason: "This pod runs without it." }),
          ModelFailure: ({ message }) => Effect.succeed<ProbeAnswer>({ state: "down", reason: message })
        })
      )
  }))
)

/** How many jobs wait, and for how long the oldest could have been done; dead letters wait for a person, not for a worker. */
const jobs = Dependencies.probing(
  Effect.map(Jobs, ({ states }) => ({
    name: "jobs",
    check: () =>
      Effect.flatMap(states, (all) => {
        const queues = all.filter(({ queue }) => queue !== deadLetterQueue)
        const waiting = queues.reduce((sum, each) => sum + each.waiting, 0)
        const oldest = Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0))
        const dead = all.find(({ queue }) => queue === deadLetterQueue)?.waiting ?? 0
        return toOwner(`${waiting} waiting, the oldest for ${Math.round(oldest)} seconds; ${dead} could not be done.`)
      })
  }))
)

export const layer = Layer.mergeAll(searchIndex, modelService, jobs)
