/** The model services that the settings configure, and the operations for which the pod uses each of them. */
import { Context, DateTime, Effect, Layer } from "effect"
import { Catalog } from "../../doors/Catalog.ts"
import { UpstreamFailed } from "../../doors/Failure.ts"
import type { RestOperation } from "../../doors/Operation.ts"
import type { Reach } from "../../doors/Reach.ts"
import { Embeddings } from "../../platform/models/Embeddings.ts"
import { LanguageModel } from "../../platform/models/LanguageModel.ts"
import { Dependencies } from "../health/Dependencies.ts"
import { DependencyHealth } from "../health/DependencyHealth.ts"
import type { ModelService, ServiceCommand, ServiceInput } from "./ModelService.ts"

/**
 * Operations that call the language model, but also answer if the model fails. Their declarations name no failure of
 * the model, so `usedBy` must get their names from this list.
 */
const answersWithoutModel = ["retrieval.answer"]
const searchesByMeaning = ["retrieval.search", "retrieval.ask", "memory.search"]

/**
 * Returns the operations of the pod that call this service. If an operation can fail because the language model fails,
 * its declaration names this failure. The compiler checks this. So each operation that calls the language model
 * declares the failure or is in `answersWithoutModel`.
 */
const usedBy = (id: ModelService["id"], rest: ReadonlyArray<RestOperation>): ReadonlyArray<RestOperation> => {
  const named = id === "model-service" ? answersWithoutModel : searchesByMeaning
  const lastState = rest.filter(({ name }) => named.includes(name))
  if (id === "embedding-service") return lastState
  return [...lastState, ...rest.filter(({ errors }) => errors.some((failure) => failure === UpstreamFailed))]
}

// minutes for which `reachable` uses the last result of a probe again
const recentMinutes = 1

const isAsked =
  ({ serviceId }: ServiceInput) =>
  (service: ModelService) =>
    serviceId === undefined || service.id === serviceId || service.serviceId === serviceId

export class ModelServices extends Context.Tag("pod/ModelServices")<
  ModelServices,
  {
    /** Every configured service, with its last known state. Does not call any service. */
    readonly services: Effect.Effect<ReadonlyArray<ModelService>>
    /**
     * Returns the configured services that answer. If a service had no probe in the last minute, probes the service
     * first.
     */
    readonly reachable: (filter: ServiceInput) => Effect.Effect<ReadonlyArray<ModelService>, never, Reach>
    /** Returns the operations for which the pod uses a service. */
    readonly commandsOf: (service: ModelService) => Effect.Effect<ReadonlyArray<ServiceCommand>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { lastState } = yield* Dependencies
      const { check } = yield* DependencyHealth
      const catalog = yield* Catalog
      const { model: languageModel } = yield* LanguageModel
      const { get: embeddings } = yield* Embeddings

      // The owner can switch both models while the pod runs, so every call reads the current models.
      const configured = Effect.zipWith(languageModel, embeddings, (chat, { model: embedding }) => [
        ...(chat === undefined
          ? []
          : [{ id: "model-service", serviceId: chat, name: "Language model", capabilities: ["chat"] } as const]),
        ...(embedding === undefined
          ? []
          : [
              {
                id: "embedding-service",
                serviceId: embedding,
                name: "Embedding model",
                capabilities: ["embeddings"]
              } as const
            ])
      ])

      const services = Effect.flatMap(
        configured,
        Effect.forEach((service) =>
          Effect.map(lastState(service.id), (last): ModelService => ({
            ...service,
            pricing: "unknown",
            version: null,
            health: last === undefined || last.state === "not_configured" ? "unknown" : last.state,
            checkedAt: last?.checkedAt ?? null
          }))
        )
      )

      const answers = Effect.fnUntraced(function* (service: ModelService) {
        const { checkedAt, health } = service
        const believed = DateTime.subtract(yield* DateTime.now, { minutes: recentMinutes })
        if (checkedAt !== null && DateTime.greaterThan(checkedAt, believed)) return health === "ok"
        const found = yield* check(service.id)
        return found !== undefined && found.state === "ok"
      })

      return {
        services,
        reachable: (filter) =>
          Effect.flatMap(services, (all) =>
            Effect.filter(all.filter(isAsked(filter)), answers, { concurrency: "unbounded" })
          ),
        commandsOf: ({ id, serviceId }) =>
          Effect.map(catalog.compiled, ({ rest }) =>
            usedBy(id, rest).map(({ method, name, path, summary }) => ({
              id: name,
              serviceId,
              description: summary,
              method,
              path
            }))
          )
      }
    })
  )
}
