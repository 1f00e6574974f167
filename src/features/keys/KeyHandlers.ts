/** Translates between the procedures of keys and the service. */
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Forbidden, invalid, NotFound } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { orderOf, summaryOf, toKey } from "./Key.ts"
import { KeyApi } from "./KeyApi.ts"
import { KeyProcedures } from "./KeyRpc.ts"
import { Keys, type MintedKey } from "./Keys.ts"

const minted =
  (status: "created" | "rotated") =>
  ({ key, secret }: MintedKey) => ({
    id: key.id,
    key: Redacted.value(secret),
    keyPrefix: key.keyPrefix,
    keyName: key.keyName,
    scope: key.scopes,
    expiresAt: key.expiresAt,
    summary: summaryOf(key),
    status,
    message: "Store the key now. It is shown once and cannot be read again."
  })

const notFound = () => Effect.fail(new NotFound({ why: "There is no such key of yours." }))

const procedures = implementProcedures(
  KeyProcedures,
  Effect.map(Keys, (keys) => ({
    "apiKeys.create": (request) =>
      Effect.flatMap(DateTime.now, (now) => Effect.map(keys.mint(orderOf(request, now)), minted("created"))),
    "apiKeys.list": (page) =>
      Effect.flatMap(DateTime.now, (now) => Effect.map(keys.list(page), (all) => all.map((key) => toKey(key, now)))),
    "apiKeys.revoke": ({ keyId, reason }) =>
      keys.revoke(keyId, reason ?? "revoked by its person").pipe(
        Effect.map((key) => ({ status: "revoked" as const, keyId, revokedAt: key.revokedAt })),
        Effect.catchTags({ KeyNotFound: notFound })
      ),
    "apiKeys.rotate": ({ keyId, overlapSeconds }) =>
      keys.rotate(keyId, overlapSeconds).pipe(
        Effect.map(minted("rotated")),
        Effect.catchTags({
          KeyNotFound: notFound,
          KeyInactive: () => Effect.fail(invalid("keyId", "Only a living key can be rotated."))
        })
      ),
    "apiKeys.listSystemKeys": () =>
      Effect.flatMap(DateTime.now, (now) => Effect.map(keys.listSystem, (all) => all.map((key) => toKey(key, now))))
  }))
)

const rest = implement(
  KeyApi,
  Effect.map(Keys, (keys) => ({
    "auth.status": () =>
      Effect.gen(function* () {
        const { principal } = yield* Reach
        if (principal.credential.kind === "session") {
          return yield* new Forbidden({
            code: "KEY_ONLY",
            why: "This tells a key about itself; a session has /users/me.",
            required: ["key"],
            granted: ["session"]
          })
        }
        const { key, personName, personEmail } = yield* Effect.catchTags(keys.own, { KeyNotFound: notFound })
        return {
          keyId: key.id,
          keyIdPrefix: key.id.slice(0, 8),
          userId: key.personId,
          userEmail: personEmail,
          userName: personName,
          name: key.keyName,
          scopes: key.scopes,
          createdAt: key.createdAt,
          expiresAt: key.expiresAt,
          lastUsedAt: key.lastUsedAt,
          parentKeyId: null,
          isActive: true,
          keyType: key.keyType,
          workspaceId: key.workspaceId,
          summary: summaryOf(key)
        }
      })
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
