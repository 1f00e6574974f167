/** Assembles the pod, over a database or in memory. Stores.ts lists the SQL and the memory adapter of each store. */
import { Duration, Effect, Layer, type Redacted } from "effect"
import { Backups, BackupSettings } from "./backups/Backups.ts"
import { adminPathDefault, ConsoleLinks, consolePathsAt } from "./doors/ConsoleLinks.ts"
import { Catalog, openRowByRow } from "./doors/Catalog.ts"
import { Dispatch } from "./doors/Dispatch.ts"
import { Fingerprints } from "./doors/Idempotency.ts"
import { Implementations } from "./doors/Implement.ts"
import { compileProcedures, compileRest, compileTools } from "./doors/Operation.ts"
import { RateLimit } from "./doors/RateLimit.ts"
import { Revocations } from "./doors/Revocations.ts"
import { Streams } from "./doors/Streams.ts"
import * as AccessLayer from "./features/access/AccessLayer.ts"
import { PodFacts } from "./features/adoption/PodFacts.ts"
import { ChatBudget } from "./features/chat/ChatBudget.ts"
import { FederationSettings } from "./features/federation/FederationSettings.ts"
import { Changers } from "./features/gate/Changers.ts"
import { GovernanceGate } from "./features/gate/GovernanceGate.ts"
import { layerAgentPolicies } from "./features/governance/PolicyStore.ts"
import { GrantMatcher } from "./features/grants/GrantMatcher.ts"
import { Dependencies } from "./features/health/Dependencies.ts"
import { KeySettings } from "./features/keys/Keys.ts"
import * as Filing from "./features/proposals/Filing.ts"
import * as CurrentEmbeddings from "./features/providers/CurrentEmbeddings.ts"
import * as CurrentModel from "./features/providers/CurrentModel.ts"
import { Outbound } from "./features/outbound/OutboundCall.ts"
import { PodSettings } from "./features/system/PodSettings.ts"
import * as SweepSql from "./features/system/SweepSql.ts"
import { SetupLinkFile } from "./features/people/SetupLinkFile.ts"
import { SetupSettings } from "./features/setup/SetupSettings.ts"
import { WebhookAttempts } from "./features/webhooks/WebhookAttempts.ts"
import { WebhookSettings } from "./features/webhooks/WebhookSettings.ts"
import { QuestionVectors } from "./features/search/QuestionVectors.ts"
import { FactMemory } from "./features/memory/FactSpaces.ts"
import { PartPatience } from "./features/retrieval/Degradable.ts"
import { SearchMemory } from "./features/search/SearchIndexes.ts"
import * as Features from "./Features.ts"
import { HubApi } from "./HubApi.ts"
import { layerBetterAuth } from "./platform/BetterAuth.ts"
import { Database } from "./platform/Database.ts"
import { EncryptionKeys } from "./platform/Encryption.ts"
import { MemoryDatabase } from "./platform/MemoryDatabase.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"
import { type ModelOptions, noModels } from "./platform/models/ModelEndpoint.ts"
import type { ShownSetting } from "./platform/settings/ShownSettings.ts"
import * as SignInMemory from "./platform/SignInMemory.ts"
import { Procedures } from "./Procedures.ts"
import * as Stores from "./Stores.ts"
import { Tools } from "./Tools.ts"
import { version } from "./Version.ts"

/** The former values of secrets. With each value, the pod still opens what it made with that value. */
export interface FormerSecrets {
  readonly peppers: ReadonlyArray<Redacted.Redacted>
  readonly sessionSecrets: ReadonlyArray<Redacted.Redacted>
  readonly encryptionKeys: ReadonlyArray<Redacted.Redacted>
}

const noSecrets: FormerSecrets = { peppers: [], sessionSecrets: [], encryptionKeys: [] }

export interface PodOptions {
  readonly pepper: Redacted.Redacted
  readonly sessionSecret: Redacted.Redacted
  /** The pod derives the key that encrypts stored secrets from this secret. */
  readonly encryptionKey: Redacted.Redacted
  /** Former values of the three secrets. The pod makes nothing new with them. Default: none. */
  readonly formerSecrets?: FormerSecrets
  readonly sessionSeconds: number
  readonly isProduction: boolean
  readonly baseUrl: string
  /** Path of the console. Default: `/admin`. */
  readonly adminPath?: string
  /** The public address of the pod, if the operator has set one. */
  readonly publicUrl?: string | undefined
  /** The settings that the owner of the pod may see. Default: none. */
  readonly shownSettings?: ReadonlyArray<ShownSetting>
  /** How many calls a credential may make per minute. */
  readonly rateLimitPerMinute: number
  /** The memory that the search indexes of spaces and of facts about people may use together. */
  readonly searchMemoryBytes: number
  /**
   * How long a search waits for an index that the pod is still reading. For a part of its answer, a search waits one
   * second longer than this time. If absent, the search waits four seconds, the default in this file.
   */
  readonly searchPatience?: Duration.Duration
  /**
   * Whether a key may search if its grant covers only some of the data. The search then finds only the rows that the
   * grant lets the key read.
   */
  readonly isScopedRetrieval?: boolean
  /** The issuers whose assertions the pod trusts. If absent, the pod trusts nobody. */
  readonly federation?: typeof FederationSettings.Service
  /**
   * The token with which a program sets up agents and the first owner in the name of the operator. If absent, the pod
   * accepts no such token.
   */
  readonly provisioningToken?: Redacted.Redacted | undefined
  /** The path of the file with the setup link while the pod has no owner. If absent, there is no such file. */
  readonly setupLinkFile?: string
  /** How the pod delivers to webhooks. If absent, the pod uses the standard rules and calls only public addresses. */
  readonly webhooks?: typeof WebhookSettings.Service
  /**
   * Where and how often the pod makes backups. If absent, the pod writes backups below the working directory, and makes
   * a backup only when somebody asks for it.
   */
  readonly backups?: typeof BackupSettings.Service
  /** The model services that the pod calls. If absent, it calls none. */
  readonly models?: ModelOptions
}

const backupsOnDemand = { folder: "backups", dataDir: ".", podVersion: version, keep: 7, everySeconds: 0 }

/** The share of the search memory that the index of facts about people may take. */
const factShare = 0.5

/**
 * How long a search waits until the indexes are up to date. Most spaces need less time, and a person accepts a wait of
 * this length.
 */
const searchPatience = Duration.seconds(4)
/**
 * A search waits this much longer for each part of its answer. So the answer can still say that a part is missing
 * because its index is late.
 */
const partPatience = Duration.seconds(1)

/** The gate and the services that it uses. */
const gate = GovernanceGate.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(GrantMatcher.layer, Changers.layer, layerAgentPolicies, Filing.layer))
)

/**
 * Joins the declaration of every operation with its handler. A declaration without a door or a handler stops the start
 * with an error that names the declaration.
 */
const compiled = ({ isScopedRetrieval = false }: PodOptions) =>
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

const formerOf = ({ formerSecrets = noSecrets }: PodOptions) => formerSecrets

const modelsOf = (options: ModelOptions) =>
  Layer.merge(
    CurrentModel.layer(options),
    QuestionVectors.layer(options.vectorShare).pipe(Layer.provideMerge(CurrentEmbeddings.layer(options)))
  )

/**
 * Builds everything that the surfaces (such as REST and MCP) need, over the given stores: the dispatcher, the catalog
 * of operations, readiness, people. The pod with a database and the pod in memory differ only in their stores.
 */
export const layerOver = <R, E, RIn>(adapters: Layer.Layer<R, E, RIn>, options: PodOptions) =>
  compiled(options).pipe(
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
        Revocations.layer,
        WebhookAttempts.layer,
        RateLimit.layer(options.rateLimitPerMinute),
        Layer.succeed(SearchMemory, {
          bytesMax: options.searchMemoryBytes * (1 - factShare),
          patience: options.searchPatience ?? searchPatience
        }),
        Layer.succeed(PartPatience, Duration.sum(options.searchPatience ?? searchPatience, partPatience)),
        Layer.succeed(FactMemory, { bytesMax: options.searchMemoryBytes * factShare }),
        Fingerprints.layer([options.pepper, ...formerOf(options).peppers]),
        EncryptionKeys.layer([options.encryptionKey, ...formerOf(options).encryptionKeys]),
        Layer.succeed(PodFacts, {
          version,
          isProduction: options.isProduction,
          rateLimitPerMinute: options.rateLimitPerMinute,
          baseUrl: options.baseUrl
        }),
        Layer.succeed(PodSettings, { shown: options.shownSettings ?? [] }),
        Layer.succeed(ConsoleLinks, consolePathsAt(options.adminPath ?? adminPathDefault, options.publicUrl)),
        Layer.succeed(FederationSettings, options.federation ?? { issuers: [], audience: null }),
        Layer.succeed(BackupSettings, options.backups ?? backupsOnDemand),
        SetupLinkFile.layer(options.setupLinkFile),
        Layer.succeed(SetupSettings, { provisioningToken: options.provisioningToken, baseUrl: options.baseUrl }),
        Layer.succeed(WebhookSettings, options.webhooks ?? WebhookSettings.standard([])),
        Layer.succeed(Outbound, options.webhooks ?? WebhookSettings.standard([])),
        Layer.succeed(ChatBudget, { promptTokens: (options.models ?? noModels).promptTokens }),
        Layer.succeed(KeySettings, {
          pepper: options.pepper,
          formerPeppers: formerOf(options).peppers,
          isProduction: options.isProduction
        })
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
          formerSecrets: formerOf(options).sessionSecrets,
          baseUrl: options.baseUrl,
          sessionSeconds: options.sessionSeconds
        })
      )
    )
  )

/** The pod over a database. */
export const layer = (options: PodOptions) =>
  // The background jobs start after the services that they use, and end before these services end.
  SweepSql.layer.pipe(Layer.provideMerge(layerOver(Layer.merge(Stores.layerSql, signIn(options)), options)))

/**
 * The adapters of a pod in memory: the memory version of each store. All share one database in memory, which tests may
 * read.
 */
export const memoryAdapters = Layer.merge(Stores.layerMemory, SignInMemory.layerMemory).pipe(
  Layer.provideMerge(Layer.merge(MemoryDatabase.layer, Database.layerMemory))
)

/**
 * The pod in memory, for tests. Its data is lost when the pod ends. `swapped`: layers that replace some of the stores.
 * Such a layer may use the original store.
 */
export const layerMemory = <R = never, E = never>(
  options: PodOptions,
  swapped: Layer.Layer<R, E, Layer.Layer.Success<typeof memoryAdapters>> = Layer.empty as never
) => layerOver(Layer.provideMerge(swapped, memoryAdapters), options)
