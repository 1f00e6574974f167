/** Finds the principal of a credential, and computes which rows a call of the principal can read and change. */
import { Context, Effect, Either, FiberSet, Layer, Redacted, Stream } from "effect"
import { ConsoleLinks } from "../../doors/ConsoleLinks.ts"
import { Unauthorized } from "../../doors/Failure.ts"
import { Gatekeeper } from "../../doors/Gatekeeper.ts"
import { localOperator, type PresentedCredential, type Principal } from "../../doors/Principal.ts"
import { Reach, systemReach } from "../../doors/Reach.ts"
import { Revocations } from "../../doors/Revocations.ts"
import { sessionScopes } from "../../doors/Scope.ts"
import { Database } from "../../platform/Database.ts"
import { SignIn } from "../../platform/SignIn.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { dateOrNull } from "../../platform/RowTimes.ts"
import { PodFacts } from "../adoption/PodFacts.ts"
import { EventLog } from "../events/EventLog.ts"
import { Passed } from "../gate/Passed.ts"
import { Keys } from "../keys/Keys.ts"
import { shapeOf } from "../keys/KeySecret.ts"
import type { Access } from "../people/Person.ts"
import { People } from "../people/People.ts"
import { operationRefusal } from "./Admission.ts"
import { makeCredentialCache } from "./CredentialCache.ts"
import { refusalGuide } from "./RefusalGuide.ts"
import {
  endedSessionMessage,
  expiredKeyMessage,
  foreignBearerMessage,
  mistypedKeyMessage,
  revokedKeyMessage,
  suspendedHolderMessage,
  unclaimedMessage,
  unknownKeyMessage
} from "./CredentialFaults.ts"
import { reachOf } from "./PrincipalReach.ts"

const refuse = (reason: Unauthorized["reason"], why: string, keyId?: string) =>
  new Unauthorized({ reason, why, ...(keyId === undefined ? {} : { keyIdPrefix: keyId.slice(0, 8), keyId }) })

export const layer = Layer.scoped(
  Gatekeeper,
  Effect.gen(function* () {
    const keys = yield* Keys
    const people = yield* People
    const signIn = yield* SignIn
    const events = yield* EventLog
    const database = yield* Database
    const revocations = yield* Revocations
    const clock = yield* Effect.clock
    // Runs the background writes, and stops them when the layer closes. A later write would use a closed database.
    const runFork = yield* FiberSet.makeRuntime()
    const cache = makeCredentialCache<Unauthorized>((keyId, times) =>
      runFork(Effect.ignoreLogged(Effect.sandbox(keys.touch(keyId, times))))
    )

    const principalOf = (
      access: Access,
      of: Pick<Principal, "credential" | "scopes" | "grant" | "workspaceId" | "toolProfile" | "expiresAt">
    ) =>
      access.isSuspended
        ? Effect.fail(refuse("key_revoked", suspendedHolderMessage))
        : Effect.succeed<Principal>({
            ...of,
            holder: access.holder,
            personId: access.personId,
            podRole: access.podRole,
            epoch: access.epoch,
            memberships: access.memberships
          })

    const accessOf = (userId: string, goneMessage: string) =>
      Effect.catchTag(people.accessOf(userId), "UserUnknown", () => Effect.fail(refuse("key_revoked", goneMessage)))

    const identifyKey = Effect.fnUntraced(function* (secret: string) {
      const key = yield* Effect.catchTags(keys.verify(secret), {
        KeyUnknown: () => Effect.fail(refuse("key_revoked", unknownKeyMessage(secret))),
        KeyRevoked: ({ keyId }) => Effect.fail(refuse("key_revoked", revokedKeyMessage, keyId)),
        KeyExpired: ({ keyId }) => Effect.fail(refuse("expired", expiredKeyMessage, keyId))
      })
      return yield* principalOf(yield* accessOf(key.holderId, unknownKeyMessage(secret)), {
        credential: { kind: "key", id: key.id },
        scopes: key.scopes,
        grant: key.grant,
        workspaceId: key.workspaceId,
        toolProfile: key.toolProfile,
        expiresAt: dateOrNull(key.expiresAt)
      })
    })

    const identifySession = Effect.fnUntraced(function* (token: string) {
      const session = yield* Effect.catchTag(signIn.verify(Redacted.make(token)), "SessionInvalid", () =>
        Effect.fail(refuse("key_revoked", endedSessionMessage(token)))
      )
      return yield* principalOf(yield* accessOf(session.userId, endedSessionMessage(token)), {
        credential: { kind: "session", id: session.sessionId },
        scopes: sessionScopes,
        grant: null,
        workspaceId: null,
        toolProfile: null,
        expiresAt: session.expiresAt
      })
    })

    /**
     * Makes the principal of the local operator: the owner of the pod, in a session that does not expire and that
     * nobody can revoke.
     */
    const identifyOperator = Effect.gen(function* () {
      const ownerId = yield* people.ownerId
      if (ownerId === undefined) return yield* new Unauthorized({ reason: "no_auth", why: unclaimedMessage })
      return yield* principalOf(yield* accessOf(ownerId, unclaimedMessage), {
        credential: { kind: "session", id: localOperator },
        scopes: sessionScopes,
        grant: null,
        workspaceId: null,
        toolProfile: null,
        expiresAt: null
      })
    })

    const lookUp = (presented: PresentedCredential): Effect.Effect<Principal, Unauthorized> => {
      if (presented.kind === "none") return Effect.fail(new Unauthorized({ reason: "no_auth" }))
      if (presented.kind === "session") return identifySession(presented.token)
      if (presented.kind === "operator") return identifyOperator
      switch (shapeOf(presented.secret)) {
        case "foreign":
          return Effect.fail(refuse("invalid_format", foreignBearerMessage(presented.secret)))
        case "mistyped":
          return Effect.fail(refuse("key_revoked", mistypedKeyMessage))
        case "plausible":
          return identifyKey(presented.secret)
      }
    }

    revocations.listen(cache.forgetAll)
    // Several nodes can share one database, which sends signals between them. If another node revokes a credential,
    // this node immediately ends the calls of that credential. If another node changes access rights, this node reads
    // the rights again. If a signal is lost, the SQL statements of this node still refuse the revoked credential.
    yield* database.signals.pipe(
      Stream.runForEach(({ kind, id }) =>
        Effect.sync(() => (kind === "revoked" ? revocations.end(id) : cache.forgetAll(id)))
      ),
      Effect.forkScoped
    )

    const gatekeeper: Context.Tag.Service<typeof Gatekeeper> = {
      recall: (presented, withinMs) => cache.recall(presented, clock.unsafeCurrentTimeMillis(), withinMs),
      identify: (presented, withinMs = Infinity) =>
        Effect.suspend(() => {
          const nowMs = clock.unsafeCurrentTimeMillis()
          const known = cache.recall(presented, nowMs, withinMs)
          return known === undefined ? cache.load(presented, nowMs, lookUp(presented)) : Effect.succeed(known)
        }),
      lookUp,
      forget: (presented) => Effect.sync(() => cache.forget(presented)),
      admit: (principal, operation, origin) => {
        const refusal = operationRefusal(principal, operation)
        return refusal === null ? Either.right(reachOf(principal, origin)) : Either.left(refusal)
      },
      guide: refusalGuide(yield* ConsoleLinks, (yield* PodFacts).baseUrl),
      recordRefusal: (principal, refusal, origin) => {
        const id = uuidv7()
        const decision = {
          id,
          verdict: "deny" as const,
          rung: (refusal._tag === "Forbidden" ? refusal.rung : undefined) ?? refusal.code,
          permission: refusal.required.join(", ")
        }
        const reach = systemReach("record a refusal", principal.personId, [principal.personId], origin)
        return events
          .append(
            principal.personId,
            {
              type: "access.refused",
              data: {
                operation: origin.operation,
                code: refusal.code,
                why: refusal.why,
                required: refusal.required,
                ...(refusal._tag === "GrantDoorUnsupported" || refusal.about === undefined
                  ? {}
                  : { about: refusal.about }),
                ...(refusal._tag === "GrantDoorUnsupported" || refusal.needs === undefined
                  ? {}
                  : { needs: refusal.needs }),
                credentialId: principal.credential.id,
                holderId: principal.holder.id
              },
              source: "system"
            },
            Passed.bySystem("record a refusal", decision)
          )
          .pipe(
            Effect.as(id),
            Effect.provideService(Reach, reach),
            Effect.catchAllCause((cause) => Effect.as(Effect.logWarning("a refusal left no event", cause), undefined))
          )
      }
    }
    return gatekeeper
  })
)
