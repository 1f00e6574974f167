/**
 * The reach of work that the pod does later for a person. The person, or a key of the person, ordered the work. The
 * reach contains what this person or key is allowed to do when the work runs.
 */
import { Context, Effect, Layer, Option } from "effect"
import { runWorkBeforeAnswer } from "../../doors/BeforeAnswer.ts"
import { type Authority, noClient, Reach, type ReachShape, type RunOrigin } from "../../doors/Reach.ts"
import { opensScope, type Scope, sessionScopes } from "../../doors/Scope.ts"
import { isUuid, uuidv7 } from "../../platform/Ids.ts"
import { boundsFor } from "../grants/GrantMatcher.ts"
import { Keys } from "../keys/Keys.ts"
import type { Access } from "../people/Person.ts"
import { People } from "../people/People.ts"

/** Who ordered the work: a person, or a key of this person. */
export interface Orderer {
  readonly personId: string
  /**
   * The key that ordered the work. If this key was rotated, the work uses the successor of the key. Null if the person
   * ordered the work in a session or by an approval.
   */
  readonly keyId: string | null
}

export interface StandingWork {
  /** The name of the work, such as `webhooks.deliver`. */
  readonly operation: string
  /** The reason why the pod does the work. The log contains this reason. */
  readonly reason: string
  /**
   * The scope that a key needs for the work. Null if the work needs no scope. In that case, the grant of the key alone
   * decides what the work is allowed to do.
   */
  readonly scope: Scope | null
  /** The correlation id of the events that the work writes. If absent, the pod makes a new id. */
  readonly correlationId?: string
  /** The automation run that does the work. */
  readonly run?: RunOrigin
}

export class StandingReach extends Context.Tag("pod/StandingReach")<
  StandingReach,
  {
    /**
     * Returns what the person or key that ordered the work is allowed to do now (the reach). Returns None if the person
     * or the holder of the key is suspended, or if the key is no longer valid. Each later SQL statement checks the
     * access again, and dies with AuthorityLost if the access has changed.
     */
    readonly of: (orderer: Orderer, work: StandingWork) => Effect.Effect<Option.Option<ReachShape>>
    /**
     * Returns the current reach of a credential: the key or session with which a person, or an agent of the person,
     * made a request. Returns None if the key is no longer valid, or if the holder of the key is suspended.
     */
    readonly ofCredential: (
      personId: string,
      credentialId: string,
      work: StandingWork
    ) => Effect.Effect<Option.Option<ReachShape>>
    /**
     * Runs work with the current reach of the person or key that ordered it. Then runs the actions that wait for the
     * commit of the work. If the person or key has no access any more, returns None and does not run the work.
     */
    readonly run: <A, E, R>(
      orderer: Orderer,
      work: StandingWork,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E, Exclude<R, Reach>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { accessOf } = yield* People
      const { get: keyOf, successorOf } = yield* Keys

      const ofPerson = ({ epoch, holder, podRole, memberships, personId }: Access, work: StandingWork) =>
        reachOf(
          work,
          { kind: "person", reason: work.reason, personId, callerId: personId, epoch },
          {
            credential: { kind: "session", id: "" },
            holder,
            personId,
            podRole,
            epoch,
            memberships,
            scopes: sessionScopes,
            grant: null,
            workspaceId: null,
            toolProfile: null,
            expiresAt: null
          }
        )

      const ofKey = Effect.fnUntraced(function* (keyId: string, person: ReachShape, work: StandingWork) {
        const key = yield* Effect.provideService(successorOf(keyId), Reach, person)
        const { epoch, holder, podRole, isSuspended, memberships, personId } = yield* accessOf(key.holderId)
        const isOwn = personId === person.principal.personId && key.personId === personId
        if (!isOwn || isSuspended || (work.scope !== null && !opensScope(key.scopes, work.scope))) return Option.none()
        const { grant, scopes, workspaceId } = key
        return Option.some(
          reachOf(
            work,
            { kind: "key", credentialId: key.id, personId, epoch },
            {
              credential: { kind: "key", id: key.id },
              holder,
              personId,
              podRole,
              epoch,
              memberships,
              scopes,
              grant,
              workspaceId,
              toolProfile: key.toolProfile,
              expiresAt: null
            }
          )
        )
      })

      const of = Effect.fnUntraced(
        function* ({ keyId, personId }: Orderer, work: StandingWork) {
          const access = yield* accessOf(personId)
          if (access.isSuspended || access.holder.kind !== "person") return Option.none()
          const person = ofPerson(access, work)
          return keyId === null ? Option.some(person) : yield* ofKey(keyId, person, work)
        },
        Effect.catchTags({
          UserUnknown: () => Effect.succeed(Option.none<ReachShape>()),
          KeyNotFound: () => Effect.succeed(Option.none<ReachShape>())
        })
      )

      const ofCredential = Effect.fnUntraced(function* (personId: string, credentialId: string, work: StandingWork) {
        const person = yield* of({ personId, keyId: null }, work)
        if (Option.isNone(person) || !isUuid(credentialId)) return person
        // The table of keys also keeps revoked keys, but it has no ids of sessions. So the credential is a key if the
        // table has its id, and a session otherwise.
        const isKey = yield* Effect.isSuccess(Effect.provideService(keyOf(credentialId), Reach, person.value))
        return isKey ? yield* of({ personId, keyId: credentialId }, work) : person
      })

      return {
        of,
        ofCredential,
        run: (orderer, work, effect) =>
          Effect.flatMap(
            of(orderer, work),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (reach) =>
                effect.pipe(
                  Effect.provideService(Reach, reach),
                  Effect.zipLeft(Effect.suspend(() => runWorkBeforeAnswer(reach.authority))),
                  Effect.asSome
                )
            })
          )
      }
    })
  )
}

const reachOf = (
  { correlationId, operation, run }: StandingWork,
  authority: Authority,
  principal: ReachShape["principal"]
): ReachShape => ({
  principal,
  authority,
  origin: { operation, requestId: correlationId ?? uuidv7(), client: noClient, run },
  bounds: (subject, action) => boundsFor(principal, subject, action)
})
