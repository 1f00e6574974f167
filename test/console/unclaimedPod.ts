/** A pod without an owner. The pods of the other suites have an owner. */
import { createHash } from "node:crypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Context, DateTime, Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { People } from "../../src/features/people/People.ts"
import { PeopleStore } from "../../src/features/people/PeopleStore.ts"
import { layerPglite } from "../../src/platform/Embedded.ts"
import * as Pod from "../../src/Pod.ts"
import * as Serve from "../../src/Serve.ts"
import { Server } from "../../src/surfaces/Server.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aSettings } from "../support/settings.ts"

export interface UnclaimedPod {
  readonly baseUrl: string
  readonly aLinkToken: () => Promise<string>
  /** Makes a setup link that expired an hour ago. Returns its token. */
  readonly anExpiredToken: () => Promise<string>
  readonly stop: () => Promise<void>
}

export const anUnclaimedPod = async (): Promise<UnclaimedPod> => {
  const settings = aSettings({ port: 0 })
  const runtime = ManagedRuntime.make(
    Pod.layer({
      pepper: Redacted.make("a pepper for tests, of no less than 32 bytes"),
      sessionSecret: Redacted.make("0123456789abcdefghijklmnopqrstuvwxyzABCDEF"),
      encryptionKey: Redacted.make("9876456789abcdefghijklmnopqrstuvwxyzABCDEF"),
      sessionSeconds: 3600,
      isProduction: false,
      baseUrl: "http://localhost",
      rateLimitPerMinute: 1_000_000,
      searchMemoryBytes: 64 * 1024 * 1024
    }).pipe(Layer.provideMerge(layerPglite(Effect.promise(() => anEmbedded()))))
  )
  const scope = Effect.runSync(Scope.make())
  const served = Layer.buildWithScope(Layer.provide(Serve.layer(settings), NodeFileSystem.layer), scope)
  const { port } = await runtime.runPromise(Effect.map(served, Context.get(Server)))
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    aLinkToken: () =>
      runtime.runPromise(Effect.flatMap(People, ({ setupLink }) => Effect.map(setupLink, Redacted.value))),
    anExpiredToken: async () => {
      const token = "E".repeat(43)
      const hash = createHash("sha256").update(token).digest()
      const anHourAgo = DateTime.subtract(DateTime.unsafeNow(), { hours: 1 })
      await runtime.runPromise(Effect.flatMap(PeopleStore, ({ addSetupLink }) => addSetupLink(hash, anHourAgo)))
      return token
    },
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}
