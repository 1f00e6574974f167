/**
 * Decides for which person a call is allowed to set up agents and services. For a call with the provisioning token or
 * an assertion of an approved issuer, this person is the owner of the pod. For a call with a key that has the scope
 * `setup.agent`, this person is the person of the key.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { makeAddressAttempts } from "../../doors/AddressAttempts.ts"
import { elapsedMs } from "../../platform/ElapsedTime.ts"
import { createHash, timingSafeEqual } from "node:crypto"
import { AuthorityLost } from "../../doors/Authority.ts"
import { runWorkBeforeAnswer } from "../../doors/BeforeAnswer.ts"
import { fullGrant } from "../../doors/Door.ts"
import {
  Forbidden,
  GrantDoorUnsupported,
  type Invalid,
  type TooMany,
  Unauthorized,
  Unavailable,
  type WriteRefusal
} from "../../doors/Failure.ts"
import { Gatekeeper } from "../../doors/Gatekeeper.ts"
import { Presented } from "../../doors/Presented.ts"
import { RateLimit, tooMany } from "../../doors/RateLimit.ts"
import { Reach, type ReachShape } from "../../doors/Reach.ts"
import { StandingReach } from "../access/StandingReach.ts"
import { Assertions } from "../federation/Assertions.ts"
import { FederationSettings } from "../federation/FederationSettings.ts"
import { shapeOf } from "../keys/KeySecret.ts"
import { People } from "../people/People.ts"
import type { SetupIssuer } from "./SetupIssuer.ts"
import { noOwner, SetupIssuers } from "./SetupIssuers.ts"
import { SetupSettings } from "./SetupSettings.ts"

const scope = "setup.agent"

/** To set up an agent or a service, an assertion must have one of these values in its JWT claim `type`. */
const assertionTypes: ReadonlySet<unknown> = new Set(["agent_setup", "addon_activate"])

const credentialNeeded = new Unauthorized({
  reason: "no_auth",
  why: `Send in \`Authorization: Bearer\` a key with the scope ${scope}, the provisioning token of the pod, or an assertion of a trusted issuer.`
})
const unknown = new Unauthorized({
  reason: "invalid_format",
  why: "This credential is not a key of this pod, not its provisioning token and not a signed assertion. Send one of these."
})
const credentialLost = new Unauthorized({
  reason: "key_revoked",
  why: "The credential was revoked or suspended while the call ran. Use another credential."
})
const assertionFault = (why: string) => new Unauthorized({ reason: "invalid_format", why })

const issuerRejected = new Forbidden({
  code: "ISSUER_REJECTED",
  why: "The owner of this pod rejected the issuer of this assertion. Ask the owner to approve the issuer.",
  required: [],
  granted: []
})
const forPeople = new Forbidden({
  code: "PEOPLE_ONLY",
  why: "The key of an agent cannot set up agents or services. Use a key of a person.",
  required: [],
  granted: []
})

const digest = (text: string) => createHash("sha256").update(text).digest()

const isJwt = (text: string) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)

/** The name of the caller in the records that a setup writes. */
export type ProvisionerName = "the provisioning token" | "a key" | `the issuer ${string}`

/** A caller who is allowed to set up agents and services, with the rights for the setup. */
interface Provisioned {
  readonly name: ProvisionerName
  readonly reach: ReachShape
  /** The URL of the issuer whose assertion the caller sent. Null if the caller sent no assertion. */
  readonly issuer: string | null
}

export type ProvisionerFailure = Unauthorized | GrantDoorUnsupported | TooMany | Unavailable | WriteRefusal

export class Provisioner extends Context.Tag("pod/Provisioner")<
  Provisioner,
  {
    /**
     * True if the caller is the operator of the pod. The caller then has the provisioning token, which nobody can
     * guess, or is the local operator.
     */
    readonly isOperator: Effect.Effect<boolean>
    /**
     * The credential of the call can set up agents for one person. Runs the work with the rights of this person. If the
     * credential is an assertion and the owner has not decided on its issuer yet, returns the record of the issuer
     * instead.
     */
    readonly run: <A, E>(
      request: { readonly route: string; readonly agentType: string | null },
      work: (name: ProvisionerName) => Effect.Effect<A, E, Reach>
    ) => Effect.Effect<{ readonly answer: A } | { readonly waiting: SetupIssuer }, E | ProvisionerFailure, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { baseUrl, provisioningToken } = yield* SetupSettings
      const { audience } = yield* FederationSettings
      const assertions = yield* Assertions
      const gatekeeper = yield* Gatekeeper
      const issuers = yield* SetupIssuers
      const limits = yield* RateLimit
      const people = yield* People
      const standing = yield* StandingReach
      const attempted = makeAddressAttempts("with a wrong credential")
      const tokenDigest = provisioningToken === undefined ? undefined : digest(Redacted.value(provisioningToken))

      const isToken = (secret: string) => tokenDigest !== undefined && timingSafeEqual(digest(secret), tokenDigest)

      // Limits how often calls from one IP address can fail, because the check of an assertion takes much computing
      // time. An attempt also counts as failed if the issuer of the assertion still waits for approval.
      const counted = <E, R>(work: Effect.Effect<Provisioned | SetupIssuer, E, R>) =>
        attempted(work, (found) => "reach" in found)

      const limited = (credential: string) =>
        Effect.flatMap(elapsedMs, (nowMs) => {
          const allowance = limits.take(credential, nowMs)
          return allowance.isExceeded ? Effect.fail(tooMany(allowance)) : Effect.void
        })

      const asOwner = Effect.fnUntraced(function* (name: ProvisionerName, issuer: string | null) {
        const { origin } = yield* Reach
        const ownerId = yield* people.ownerId
        if (ownerId === undefined) return yield* noOwner
        const reach = yield* standing.of(
          { personId: ownerId, keyId: null },
          {
            operation: origin.operation,
            reason: `set up by ${name}`,
            scope: "hub-protocol.write",
            correlationId: origin.requestId
          }
        )
        if (Option.isNone(reach)) return yield* noOwner
        return { name, reach: reach.value, issuer } satisfies Provisioned
      })

      const byKey = Effect.fnUntraced(function* (secret: string) {
        const { origin } = yield* Reach
        const principal = yield* gatekeeper.lookUp({ kind: "bearer", secret })
        yield* limited(principal.credential.id)
        const admitted =
          // A grant cannot limit which agents and services a key sets up. So the pod refuses a key with limits
          // (specification §5.4).
          principal.holder.kind === "agent"
            ? Effect.fail(forPeople)
            : gatekeeper.admit(principal, { name: origin.operation, door: fullGrant(scope) }, origin)
        const reach = yield* Effect.catchAll(
          admitted,
          Effect.fnUntraced(function* (refusal) {
            // This endpoint is open to everybody, so the code that runs operations does not know the principal and
            // cannot log the refusal. This code logs the refusal instead.
            const decisionId = yield* gatekeeper.recordRefusal(principal, refusal, origin)
            return yield* refusal._tag === "Forbidden"
              ? new Forbidden({ ...refusal, decisionId })
              : new GrantDoorUnsupported({ ...refusal, decisionId })
          })
        )
        return { name: "a key", reach, issuer: null } satisfies Provisioned
      })

      const byAssertion = Effect.fnUntraced(
        function* (assertion: string, route: string, agentType: string | null) {
          const { issuer, type } = yield* assertions.claimsIn(assertion)
          if (!assertionTypes.has(type))
            return yield* assertionFault("The claim `type` of the assertion must be `agent_setup` or `addon_activate`.")
          if (issuer === undefined)
            return yield* assertionFault("The assertion has no claim `iss`, the address of its issuer.")
          const found = yield* issuers.statusOf(issuer, agentType)
          if (found.status === "pending") return found.issuer
          if (found.status === "rejected") return yield* issuerRejected
          yield* limited(`issuer ${issuer}`)
          yield* assertions.accept(assertion, { issuer, audience: audience ?? baseUrl, route, fault: () => undefined })
          return yield* asOwner(`the issuer ${issuer}`, issuer)
        },
        Effect.catchTag("Invalid", ({ faults }: Invalid) => Effect.fail(assertionFault(faults[0]?.message ?? "")))
      )

      const found = (route: string, agentType: string | null) =>
        Effect.gen(function* (): Effect.fn.Return<Provisioned | SetupIssuer, ProvisionerFailure, Reach> {
          const presented = yield* Presented
          if (presented.kind !== "bearer") return yield* credentialNeeded
          const { secret } = presented
          if (isToken(secret)) {
            yield* limited("provisioning token")
            return yield* asOwner("the provisioning token", null)
          }
          if (shapeOf(secret) !== "foreign") return yield* byKey(secret)
          return isJwt(secret) ? yield* counted(byAssertion(secret, route, agentType)) : yield* unknown
        })

      return {
        isOperator: Effect.map(
          Presented,
          (presented) => presented.kind === "operator" || (presented.kind === "bearer" && isToken(presented.secret))
        ),
        run: Effect.fnUntraced(function* ({ agentType, route }, work) {
          const provisioned = yield* found(route, agentType)
          if (!("reach" in provisioned)) return { waiting: provisioned }
          const { issuer, name, reach } = provisioned
          const done = Effect.provideService(work(name), Reach, reach)
          // Since the pod read the decision of the owner, it has asked the issuer for the issuer's keys. The issuer can
          // take a long time to answer, and the owner can decide in the meantime. So the pod reads the decision again.
          const answer = yield* (issuer === null ? Effect.asSome(done) : issuers.unlessRejected(issuer, done)).pipe(
            Effect.catchSomeDefect((defect) =>
              defect instanceof AuthorityLost ? Option.some(Effect.fail(credentialLost)) : Option.none()
            )
          )
          if (Option.isNone(answer)) return yield* issuerRejected
          yield* runWorkBeforeAnswer(reach.authority)
          return { answer: answer.value }
        })
      }
    })
  )
}
