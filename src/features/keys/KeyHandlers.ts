/** The handlers of keys: they translate between the procedures and the service. */
import { DateTime, Effect, Layer, Redacted } from "effect"
import { mapPage } from "../../doors/Page.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, Forbidden, invalid } from "../../doors/Failure.ts"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { Reach } from "../../doors/Reach.ts"
import { People } from "../people/People.ts"
import { AccessRoles } from "../accessRoles/AccessRoles.ts"
import { type StoredKey, toForeignKey, toKey } from "./Key.ts"
import { summaryOf } from "./KeySummary.ts"
import { type KeyRequest, normalizeKeyRequest } from "./MintRequest.ts"
import { KeyApi } from "./KeyApi.ts"
import { KeyProcedures } from "./KeyRpc.ts"
import { Keys, type MintedKey } from "./Keys.ts"

const mintedAnswer =
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
    message: "Store the key now. The pod shows the key once, and nobody can read it again."
  })

const notFound = () => Effect.fail(missingRecord("key of yours"))

const procedures = implementProcedures(
  KeyProcedures,
  Effect.gen(function* () {
    const keys = yield* Keys
    const roles = yield* AccessRoles
    const people = yield* People

    /**
     * Converts keys to the form that the person who owns them sees. The form says whether the role of a key has changed
     * after the key was made.
     */
    const shown = Effect.fnUntraced(function* (all: ReadonlyArray<StoredKey>) {
      const now = yield* DateTime.now
      const known = yield* roles.listByIds([...new Set(all.flatMap(({ role }) => (role === null ? [] : [role.id])))])
      return all.map((key) => toKey(key, now, known))
    })

    const create = (request: KeyRequest) =>
      Effect.flatMap(DateTime.now, (now) =>
        Effect.map(keys.mint(normalizeKeyRequest(request, now)), mintedAnswer("created"))
      )

    const revoke = ({ keyId, reason }: { readonly keyId: string; readonly reason?: string | undefined }) =>
      keys.revoke(keyId, reason ?? "revoked by its person").pipe(
        Effect.map((key) => ({ status: "revoked" as const, keyId, revokedAt: key.revokedAt })),
        Effect.catchTags({ KeyNotFound: notFound })
      )

    return {
      "apiKeys.create": create,
      "apiKeys.createForWorkspace": create,
      "apiKeys.list": Effect.fnUntraced(function* (place) {
        const { items, next } = yield* keys.list(place)
        return { items: yield* shown(items), next }
      }),
      "apiKeys.rename": ({ keyId, keyName }) =>
        keys.rename(keyId, keyName).pipe(
          Effect.flatMap((key) => shown([key])),
          Effect.map(([key]) => key),
          Effect.catchTags({ KeyNotFound: notFound })
        ),
      "apiKeys.revoke": revoke,
      "connections.list": Effect.fnUntraced(function* (place) {
        const agents = new Map((yield* people.agents).map(({ id, name }) => [id, name]))
        const page = yield* keys.list(place)
        return mapPage({ items: yield* shown(page.items), next: page.next }, (key) => ({
          keyId: key.id,
          name: key.keyName,
          heldBy: key.heldByAgent ? ("agent" as const) : key.hubId === null ? ("person" as const) : ("app" as const),
          holderName: agents.get(key.holderId) ?? key.hubId,
          summary: key.summary,
          scope: key.scope,
          toolProfile: key.toolProfile,
          isActive: key.isActive,
          expiresAt: key.expiresAt,
          lastUsedAt: key.lastUsedAt
        }))
      }),
      "connections.revoke": revoke,
      "apiKeys.rotate": ({ keyId, overlapSeconds }) =>
        keys.rotate(keyId, overlapSeconds).pipe(
          Effect.map(mintedAnswer("rotated")),
          Effect.catchTags({
            KeyNotFound: notFound,
            KeyInactive: () =>
              Effect.fail(invalid("keyId", "Only an active key can be rotated. Create a new key instead.")),
            KeyRotated: () =>
              Effect.fail(
                new Conflict({
                  code: "KEY_ROTATED",
                  why: "This key was already rotated. Rotate the new key, or create another key."
                })
              )
          })
        ),
      "apiKeys.listSystemKeys": Effect.fnUntraced(function* (place) {
        const { personId } = (yield* Reach).principal
        const now = yield* DateTime.now
        const page = yield* keys.listSystem(place)
        const own = new Map(
          (yield* shown(page.items.filter((key) => key.personId === personId))).map((key) => [key.id, key])
        )
        return mapPage(page, (key) => own.get(key.id) ?? toForeignKey(key, now))
      })
    }
  })
)

const rest = implement(
  KeyApi,
  Effect.map(Keys, (keys) => ({
    "auth.status": Effect.fnUntraced(function* () {
      const { principal } = yield* Reach
      if (principal.credential.kind === "session") {
        return yield* new Forbidden({
          code: "KEY_ONLY",
          why: "This operation describes the key that makes the call, but a session made this call. Call `/users/me` instead.",
          required: ["key"],
          granted: ["session"]
        })
      }
      const { key, personName, personEmail } = yield* Effect.catchTags(keys.ownKey, { KeyNotFound: notFound })
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
        parentKeyId: key.rotatedFromId,
        isActive: true,
        keyType: key.keyType,
        workspaceId: key.workspaceId,
        toolProfile: key.toolProfile,
        summary: summaryOf(key)
      }
    })
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
