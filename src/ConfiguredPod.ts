/** Builds the pod that the settings describe, with its database and its secrets. The pod does not listen yet. */
import { Duration, Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { backupBeforeMigration } from "./backups/BeforeMigration.ts"
import { setupLinkName } from "./features/people/SetupLinkFile.ts"
import { WebhookSettings } from "./features/webhooks/WebhookSettings.ts"
import { layerEmbedded } from "./platform/Embedded.ts"
import { modelOptionsOf } from "./platform/models/ModelEndpoint.ts"
import { layerPostgres } from "./platform/Postgres.ts"
import { establishSecrets } from "./platform/SecretChecks.ts"
import { podAddress } from "./platform/settings/PodAddress.ts"
import type { SettingsShape } from "./platform/settings/Settings.ts"
import type { ShownSetting } from "./platform/settings/ShownSettings.ts"
import * as Pod from "./Pod.ts"
import { version } from "./Version.ts"

export const backupFolder = ({ backupDir, dataDir }: SettingsShape): string =>
  Option.getOrElse(backupDir, () => join(dataDir, "backups"))

const beforeMigration = (settings: SettingsShape, pgFolder: string | undefined) =>
  settings.backupBeforeMigration === "off"
    ? {}
    : {
        beforeMigration: backupBeforeMigration({
          folder: backupFolder(settings),
          dataDir: settings.dataDir,
          podVersion: version,
          pgFolder
        })
      }

/** How long a server waits for PostgreSQL when it starts. */
const serverWaitMs = 60_000

const databaseOf = (settings: SettingsShape, use: PodUse) => {
  const { dataDir, databasePoolMax: poolMax, databaseUrl, durability } = settings
  return Option.match(databaseUrl, {
    onNone: () =>
      layerEmbedded({
        dataDir,
        durability,
        isServer: "shown" in use,
        ...beforeMigration(settings, join(dataDir, "pg"))
      }),
    onSome: (url) =>
      layerPostgres({
        url,
        poolMax,
        startTimeoutMs: "shown" in use ? serverWaitMs : use.waitMs,
        ...beforeMigration(settings, undefined)
      })
  })
}

/**
 * What the pod is for: a server, with the settings that the owner of the pod is allowed to read, or one command, which
 * waits for PostgreSQL for `waitMs`.
 */
type PodUse = { readonly shown: ReadonlyArray<ShownSetting> } | { readonly waitMs: number }

/**
 * Makes the pod that the settings describe. If the database is embedded, each start of this layer locks the data
 * directory.
 */
export const layer = (settings: SettingsShape, use: PodUse) =>
  Layer.unwrapEffect(
    // `establishSecrets` needs the database, because it compares the secrets with check values in the database.
    Effect.map(
      establishSecrets({ ...settings, takesNew: settings.newSecrets === "accept" }),
      ({
        encryptionKeys: [encryptionKey, ...encryptionKeys],
        peppers: [pepper, ...peppers],
        sessionSecrets: [sessionSecret, ...sessionSecrets]
      }) =>
        Pod.layer({
          pepper,
          sessionSecret,
          encryptionKey,
          formerSecrets: { peppers, sessionSecrets, encryptionKeys },
          sessionSeconds: settings.sessionSeconds,
          isProduction: settings.mode === "production",
          baseUrl: podAddress(settings),
          adminPath: settings.adminPath,
          shownSettings: "shown" in use ? use.shown : [],
          rateLimitPerMinute: settings.rateLimitPerMinute,
          searchMemoryBytes: settings.searchMemoryBytes,
          isScopedRetrieval: settings.scopedRetrieval === "on",
          federation: { issuers: settings.oidcIssuers, audience: Option.getOrNull(settings.oidcAudience) },
          setupLinkFile: join(settings.dataDir, setupLinkName),
          provisioningToken: Option.getOrUndefined(settings.provisioningToken),
          webhooks: WebhookSettings.standard(settings.webhookAllow, {
            timeout: Duration.seconds(settings.webhookTimeoutSeconds)
          }),
          models: modelOptionsOf(settings),
          backups: {
            folder: backupFolder(settings),
            dataDir: settings.dataDir,
            podVersion: version,
            keep: settings.backupKeep,
            everySeconds: settings.backupEverySeconds
          }
        })
    )
  ).pipe(Layer.provideMerge(databaseOf(settings, use)))
