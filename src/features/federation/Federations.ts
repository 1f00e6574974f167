/** Checks the assertion of a trusted issuer: its signature, its audience, its times, and that it is used only once. */
import { Context, DateTime, Effect, Layer } from "effect"
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose"
import { type Invalid, invalid, Unavailable } from "../../doors/Failure.ts"
import { Fingerprints, Idempotency } from "../../doors/Idempotency.ts"
import { ageMostSeconds, algorithms, purpose, skewSeconds } from "./Federation.ts"
import { FederationSettings } from "./FederationSettings.ts"
import { isSafeAddress, issuerKeys, restSeconds } from "./IssuerKeys.ts"

const refused = (why: string) => invalid("assertion", why)

const trustsNobody = refused(
  "This pod trusts no issuer. The operator of the pod can set POD_OIDC_ISSUERS and POD_OIDC_AUDIENCE."
)
const notTrusted = refused("This pod does not trust the issuer of this assertion.")
const unreadable = refused("The assertion is not a signed JWT.")
const unsigned = refused("No key of the issuer fits the signature of the assertion.")
const tooOld = refused(
  `The assertion is valid for too long: at most ${ageMostSeconds} seconds from iat to exp are allowed. Create a new assertion.`
)
const usedAlready = refused("This assertion was already used. Create a new assertion.")
const unreachable = new Unavailable({
  why: "The issuer does not answer the request for its keys.",
  retryAfterSeconds: restSeconds
})

const agingClaims: ReadonlySet<string> = new Set(["iat", "exp", "nbf"])

const failureOf = (cause: unknown): Invalid | Unavailable => {
  if (cause instanceof errors.JWTExpired) return tooOld
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return agingClaims.has(cause.claim)
      ? tooOld
      : refused(`The claim ${cause.claim} is missing or is not for this pod.`)
  }
  const isOfKey =
    cause instanceof errors.JWSSignatureVerificationFailed ||
    cause instanceof errors.JWKSNoMatchingKey ||
    cause instanceof errors.JWKSMultipleMatchingKeys ||
    cause instanceof errors.JOSEAlgNotAllowed ||
    cause instanceof errors.JOSENotSupported
  if (isOfKey) return unsigned
  if (cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid) return unreadable
  return unreachable
}

const withoutSlash = (text: string) => text.replace(/\/+$/, "")

export class Federations extends Context.Tag("pod/Federations")<
  Federations,
  {
    /**
     * Accepts a valid assertion once. Fails with Invalid if it is not valid, and with Unavailable if the issuer does
     * not answer.
     */
    readonly accept: (assertion: string) => Effect.Effect<void, Invalid | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { audience, issuers } = yield* FederationSettings
      const fingerprints = yield* Fingerprints
      const idempotency = yield* Idempotency
      const keysOf = issuerKeys()

      /** The issuer that the assertion names. It is not proven yet. */
      const issuerIn = (assertion: string) =>
        Effect.try({ try: () => decodeJwt(assertion).iss, catch: () => unreadable })

      const checkClaims = ({ exp = 0, iat = 0, jti, ...claims }: JWTPayload) => {
        if (exp - iat > ageMostSeconds || exp <= iat) return Effect.fail(tooOld)
        const named = claims["purpose"]
        if (named !== undefined && named !== purpose)
          return Effect.fail(refused("The claim purpose is for another use."))
        return typeof jti === "string" && jti !== "" && jti.length <= 512
          ? Effect.succeed(jti)
          : Effect.fail(refused("The claim jti must be a text of 1 to 512 characters."))
      }

      const fingerprintOf = (jti: string) =>
        fingerprints.of({ key: jti, method: "POST", route: "/federation/oidc-config", body: "" })

      /**
       * Notes that the assertion of this issuer was used. The note is stored for a day, which is longer than an
       * assertion can be valid.
       */
      const use = (issuer: string, jti: string) =>
        Effect.catchTag(
          idempotency.once(`federation ${issuer}`, fingerprintOf(jti), false, Effect.void),
          "Conflict",
          () => Effect.fail(usedAlready)
        )

      return {
        accept: Effect.fn("Federations.accept")(function* (assertion) {
          if (issuers.length === 0 || audience === null) return yield* trustsNobody
          const named = yield* issuerIn(assertion)
          const issuer = named === undefined ? undefined : withoutSlash(named)
          if (issuer === undefined || !issuers.includes(issuer) || !isSafeAddress(issuer)) return yield* notTrusted
          const keys = yield* Effect.mapError(keysOf(issuer), () => unreachable)
          const currentDate = DateTime.toDate(yield* DateTime.now)
          const { payload } = yield* Effect.tryPromise({
            try: () =>
              jwtVerify(assertion, keys, {
                algorithms,
                issuer: [issuer, `${issuer}/`],
                audience,
                currentDate,
                clockTolerance: skewSeconds,
                maxTokenAge: ageMostSeconds,
                requiredClaims: ["iat", "exp", "jti"]
              }),
            catch: failureOf
          })
          yield* use(issuer, yield* checkClaims(payload))
        })
      }
    })
  )
}
