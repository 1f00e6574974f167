/**
 * Assembles the pod, over a database or in memory. `Stores.ts` lists the SQL adapter and the memory adapter of each
 * store.
 */
import { Effect, Layer } from "effect"
import { Backups } from "./backups/Backups.ts"
import { Catalog, openRowByRow } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Implementations } from "./doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "./doors/Operation.ts"
import { Revocations } from "./doors/Revocations.ts"
import { RecordReaders } from "./doors/ShownRecords.ts"
import { Streams } from "./doors/Streams.ts"
import * as AccessLayer from "./features/access/AccessLayer.ts"
import { Changers } from "./features/gate/Changers.ts"
import { GovernanceGate } from "./features/gate/GovernanceGate.ts"
import { layerAgentPolicies } from "./features/governance/PolicyStore.ts"
import { GrantMatcher } from "./features/grants/GrantMatcher.ts"
import { Dependencies } from "./features/health/Dependencies.ts"
import * as Filing from "./features/proposals/Filing.ts"
import * as CurrentEmbeddings from "./features/providers/CurrentEmbeddings.ts"
import * as CurrentModel from "./features/providers/CurrentModel.ts"
import * as SweepSql from "./features/system/SweepSql.ts"
import { WebhookAttempts } from "./features/webhooks/WebhookAttempts.ts"
import { QuestionVectors } from "./features/search/QuestionVectors.ts"
import * as Features from "./Features.ts"
import { HubApi } from "./HubApi.ts"
import { layerBetterAuth } from "./platform/BetterAuth.ts"
import { Database } from "./platform/Database.ts"
import { MemoryDatabase } from "./platform/MemoryDatabase.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"
import { type ModelOptions, noModels } from "./platform/models/ModelEndpoint.ts"
import * as SignInMemory from "./platform/SignInMemory.ts"
import { formerSecretsOf, optionLayers, type PodOptions } from "./PodOptions.ts"
import { Procedures } from "./Procedures.ts"
import * as Stores from "./Stores.ts"
import { Tools } from "./Tools.ts"

/** The governance gate, which decides about writes, and the services that the gate uses. */
const gate = GovernanceGate.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GrantMatcher.layer, Changers.layer, layerAgentPolicies, Filing.layer))
)

/**
 * Joins the declaration of every operation with its handler. A declaration without a door or a handler stops the start
 * with an error that names the declaration.
 */
const compiledCatalog = ({ isScopedRetrieval = false }: PodOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const bound = yield* Implementations
      const catalog = yield* Catalog
      const all = {
        rest: compileRest(HubApi, bound),
        procedures: compileProcedures(Procedures, bound),
        tools: compileTools(Tools, bound)
      }
      yield* catalog.complete(isScopedRetrieval ? openRowByRow(all) : all)
    })
  )

const modelsOf = (options: ModelOptions) =>
  Layer.merge(
    CurrentModel.layer(options),
    QuestionVectors.layer(options.vectorShare).pipe(Layer.provideMerge(CurrentEmbeddings.layer(options)))
  )

/**
 * Builds everything that the surfaces (such as REST and MCP) need, for example the dispatcher and the catalog of
 * operations. `adapters` are the stores. The pod with a database and the pod in memory differ only in their stores.
 */
export const layerOver = <R, E, RIn>(adapters: Layer.Layer<R, E, RIn>, options: PodOptions) =>
  compiledCatalog(options).pipe(
    Layer.provideMerge(Features.layer),
    Layer.provideMerge(Streams.layer.pipe(Layer.provideMerge(Dispatch.layer), Layer.provideMerge(AccessLayer.layer))),
    Layer.provideMerge(gate),
    Layer.provideMerge(Jobs.layer),
    Layer.provideMerge(Backups.layer),
    Layer.provideMerge(modelsOf(options.models ?? noModels)),
    Layer.provideMerge(adapters),
    Layer.provideMerge(
      Layer.mergeAll(
        Catalog.layer,
        Dependencies.layer,
        Implementations.layer,
        RecordReaders.layer,
        Revocations.layer,
        WebhookAttempts.layer,
        optionLayers(options)
      )
    )
  )

const signIn = (options: PodOptions) =>
  Layer.unwrapEffect(
    Effect.map(Database, ({ pool }) =>
      Layer.orDie(
        layerBetterAuth({
          pool,
          secret: options.sessionSecret,
          formerSecrets: formerSecretsOf(options).sessionSecrets,
          baseUrl: options.baseUrl,
          sessionSeconds: options.sessionSeconds
        })
      )
    )
  )

/** Makes the pod over a database. */
export const layer = (options: PodOptions) =>
  // The background jobs start after the services that they use, and end before these services end.
  SweepSql.layer.pipe(Layer.provideMerge(layerOver(Layer.merge(Stores.layerSql, signIn(options)), options)))

/**
 * The adapters of a pod in memory: the memory version of each store. All stores share one database in memory, which
 * tests can read.
 */
export const memoryAdapters = Layer.merge(Stores.layerMemory, SignInMemory.layerMemory).pipe(
  Layer.provideMerge(Layer.merge(MemoryDatabase.layer, Database.layerMemory))
)

/**
 * Makes the pod in memory, for tests. Its data is lost when the pod ends. `swapped` has layers that replace some of the
 * stores. Such a layer can use the original store.
 */
export const layerMemory = <R = never, E = never>(
  options: PodOptions,
  swapped: Layer.Layer<R, E, Layer.Layer.Success<typeof memoryAdapters>> = Layer.empty as never
) => layerOver(Layer.provideMerge(swapped, memoryAdapters), options)
