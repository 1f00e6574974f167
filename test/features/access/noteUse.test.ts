/**
 * The pod stores the use of a key in the background. It does not do this after the pod has stopped, because the
 * database is closed then.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { ConsoleLinks, consolePathsAt } from "../../../src/doors/ConsoleLinks.ts"
import { Gatekeeper } from "../../../src/doors/Gatekeeper.ts"
import { Revocations } from "../../../src/doors/Revocations.ts"
import * as Access from "../../../src/features/access/Access.ts"
import { PodFacts } from "../../../src/features/adoption/PodFacts.ts"
import { EventLog } from "../../../src/features/events/EventLog.ts"
import type { StoredKey } from "../../../src/features/keys/Key.ts"
import { mintSecret } from "../../../src/features/keys/KeySecret.ts"
import { Keys, KeySettings } from "../../../src/features/keys/Keys.ts"
import { People } from "../../../src/features/people/People.ts"
import { Database } from "../../../src/platform/Database.ts"
import { SignIn } from "../../../src/platform/SignIn.ts"

const holder = { id: "someone", kind: "person" as const, capabilities: [] }
// The fields of a stored key that the gatekeeper reads.
const key = { id: "key", holderId: holder.id, scopes: [], grant: null, workspaceId: null, expiresAt: null }

it.effect(
  "when a pod stops, it interrupts an unfinished write of the time at which a key was last used, before it closes the database",
  () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<"interrupted">()
      const services = Layer.mergeAll(
        Layer.mock(Keys, {
          verify: () => Effect.succeed(key as unknown as StoredKey),
          touch: () =>
            Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
              Effect.onInterrupt(() => Deferred.succeed(ended, "interrupted"))
            )
        }),
        Layer.succeed(ConsoleLinks, consolePathsAt("/admin", "http://localhost")),
        Layer.succeed(PodFacts, { baseUrl: "http://pod", version: "1", isProduction: false, rateLimitPerMinute: 1 }),
        Layer.mock(People, {
          accessOf: () =>
            Effect.succeed({
              holder,
              name: "Someone",
              email: null,
              personId: holder.id,
              podRole: "member",
              isSuspended: false,
              epoch: 1,
              memberships: []
            })
        }),
        Layer.mock(SignIn, {}),
        Layer.mock(EventLog, {}),
        Database.layerMemory,
        Revocations.layer,
        Layer.succeed(KeySettings, {
          pepper: Redacted.make("a pepper for tests"),
          formerPeppers: [],
          isProduction: false
        })
      )
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Layer.provide(Access.layer, services), scope)
      yield* Effect.provide(
        Effect.flatMap(Gatekeeper, ({ identify }) =>
          identify({ kind: "bearer", secret: Redacted.value(mintSecret("svc_user_")) })
        ),
        context
      )
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(yield* Deferred.isDone(ended))
    })
)
