/** The options of a pod, and the layers that pass these options to the parts of the pod. */
import { Duration, Layer, type Redacted } from "effect"
import { BackupSettings } from "./backups/Backups.ts"
import { adminPathDefault, ConsoleLinks, consolePathsAt } from "./doors/ConsoleLinks.ts"
import { Fingerprints } from "./doors/Idempotency.ts"
import { RateLimit } from "./doors/RateLimit.ts"
import { PodFacts } from "./features/adoption/PodFacts.ts"
import { ChatBudget } from "./features/chat/ChatBudget.ts"
import { FederationSettings } from "./features/federation/FederationSettings.ts"
import { KeySettings } from "./features/keys/Keys.ts"
import { Outbound } from "./features/outbound/OutboundCall.ts"
import { PodSettings } from "./features/system/PodSettings.ts"
import { SetupLinkFile } from "./features/people/SetupLinkFile.ts"
import { SetupSettings } from "./features/setup/SetupSettings.ts"
import { WebhookSettings } from "./features/webhooks/WebhookSettings.ts"
import { FactMemory } from "./features/memory/FactSpaces.ts"
import { PartTimeout } from "./features/retrieval/Degradable.ts"
import { SearchMemory } from "./features/search/SearchIndexes.ts"
import { EncryptionKeys } from "./platform/Encryption.ts"
import { type ModelOptions, noModels } from "./platform/models/ModelEndpoint.ts"
import type { ShownSetting } from "./platform/settings/ShownSettings.ts"
import { version } from "./Version.ts"

/** The former values of secrets. The pod uses a former value only to decrypt or verify what it made with that value. */
export interface FormerSecrets {
  readonly peppers: ReadonlyArray<Redacted.Redacted>
  readonly sessionSecrets: ReadonlyArray<Redacted.Redacted>
  readonly encryptionKeys: ReadonlyArray<Redacted.Redacted>
}

const noSecrets: FormerSecrets = { peppers: [], sessionSecrets: [], encryptionKeys: [] }

export interface PodOptions {
  readonly pepper: Redacted.Redacted
  readonly sessionSecret: Redacted.Redacted
  /** The secret from which the pod derives the key that encrypts stored secrets. */
  readonly encryptionKey: Redacted.Redacted
  /**
   * Former values of the pepper, the session secret and the encryption key. The pod encrypts and signs nothing new with
   * them. Default: none.
   */
  readonly formerSecrets?: FormerSecrets
  readonly sessionSeconds: number
  readonly isProduction: boolean
  readonly baseUrl: string
  /** Path of the console. Default: `/admin`. */
  readonly adminPath?: string
  /** The settings that the owner of the pod is allowed to see. Default: none. */
  readonly shownSettings?: ReadonlyArray<ShownSetting>
  /** How many calls each credential can make in a minute. */
  readonly rateLimitPerMinute: number
  /**
   * The maximum number of bytes of memory that all search indexes can use together: the indexes of spaces and the
   * indexes of facts about people.
   */
  readonly searchMemoryBytes: number
  /** The longest time that a search waits until the indexes are up to date. Default: four seconds. */
  readonly searchTimeout?: Duration.Duration
  /**
   * True if the pod lets a key search although the grant of the key covers only some of the data. The search then finds
   * only the rows that the grant lets the key read.
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
  /**
   * How the pod delivers events to webhooks. If absent, the pod uses its default rules and calls only public addresses.
   */
  readonly webhooks?: typeof WebhookSettings.Service
  /**
   * Where and how often the pod makes backups. If absent, the pod writes backups below the working directory, and makes
   * a backup only when somebody asks for it.
   */
  readonly backups?: typeof BackupSettings.Service
  /** The model services that the pod calls. If absent, the pod calls none. */
  readonly models?: ModelOptions
}

const backupsOnDemand = { folder: "backups", dataDir: ".", podVersion: version, keep: 7, everySeconds: 0 }

/** The share of the search memory that the index of facts about people can take. */
const factShare = 0.5

/**
 * The longest time that a search waits until the indexes are up to date. Most spaces need less time, and a person
 * accepts a wait of this length.
 */
const searchTimeout = Duration.seconds(4)
/**
 * The answer to a question has several parts. The pod waits for each part one second longer than a search waits for an
 * index. So the part can still report that its index is not ready.
 */
const partTimeout = Duration.seconds(1)

/** Returns the former values of the secrets. Returns empty lists if the options have none. */
export const formerSecretsOf = ({ formerSecrets = noSecrets }: PodOptions) => formerSecrets

/** Makes the services from which the parts of the pod read the options. */
export const optionLayers = (options: PodOptions) =>
  Layer.mergeAll(
    RateLimit.layer(options.rateLimitPerMinute),
    Layer.succeed(SearchMemory, {
      bytesMax: options.searchMemoryBytes * (1 - factShare),
      loadTimeout: options.searchTimeout ?? searchTimeout
    }),
    Layer.succeed(PartTimeout, Duration.sum(options.searchTimeout ?? searchTimeout, partTimeout)),
    Layer.succeed(FactMemory, { bytesMax: options.searchMemoryBytes * factShare }),
    Fingerprints.layer([options.pepper, ...formerSecretsOf(options).peppers]),
    EncryptionKeys.layer([options.encryptionKey, ...formerSecretsOf(options).encryptionKeys]),
    Layer.succeed(PodFacts, {
      version,
      isProduction: options.isProduction,
      rateLimitPerMinute: options.rateLimitPerMinute,
      baseUrl: options.baseUrl
    }),
    Layer.succeed(PodSettings, { shown: options.shownSettings ?? [] }),
    Layer.succeed(ConsoleLinks, consolePathsAt(options.adminPath ?? adminPathDefault, options.baseUrl)),
    Layer.succeed(FederationSettings, options.federation ?? { issuers: [], audience: null }),
    Layer.succeed(BackupSettings, options.backups ?? backupsOnDemand),
    SetupLinkFile.layer(options.setupLinkFile),
    Layer.succeed(SetupSettings, { provisioningToken: options.provisioningToken, baseUrl: options.baseUrl }),
    Layer.succeed(WebhookSettings, options.webhooks ?? WebhookSettings.standard([])),
    Layer.succeed(Outbound, options.webhooks ?? WebhookSettings.standard([])),
    Layer.succeed(ChatBudget, { promptTokens: (options.models ?? noModels).promptTokens }),
    Layer.succeed(KeySettings, {
      pepper: options.pepper,
      formerPeppers: formerSecretsOf(options).peppers,
      isProduction: options.isProduction
    })
  )
