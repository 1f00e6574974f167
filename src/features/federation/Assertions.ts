/**
 * Checks signed assertions of trusted issuers: the signature, the audience and the times. Each route accepts an
 * assertion only once.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose"
import { type Invalid, invalid, Unavailable } from "../../doors/Failure.ts"
import { Fingerprints, Idempotency } from "../../doors/Idempotency.ts"
import { outsideTransaction } from "../../platform/CommitHooks.ts"
import { Outbound } from "../outbound/OutboundCall.ts"
import { ageMaxSeconds, algorithms, skewSeconds } from "./Federation.ts"
import { FederationSettings } from "./FederationSettings.ts"
import { withoutLastSlashes } from "../../platform/ParsedUrl.ts"
import { isSafeAddress, issuerKeys, restSeconds } from "./IssuerKeys.ts"

export const assertionRefused = (why: string) => invalid("assertion", why)

const notTrusted = assertionRefused(
  "This pod does not trust the issuer of this assertion. The operator can add the issuer to `POD_OIDC_ISSUERS`."
)
const assertionUnreadable = assertionRefused("The assertion is not a signed JWT. Send the JWT as the issuer signed it.")
const signatureUnknown = assertionRefused(
  "No key of the issuer matches the signature of the assertion. Get a new assertion from the issuer."
)
const tooLong = assertionRefused(
  `The assertion is valid for too long: at most ${ageMaxSeconds} seconds from \`iat\` to \`exp\` are allowed. Create a new assertion.`
)
const outOfTime = assertionRefused(
  `The assertion has expired, is not valid yet, or was issued more than ${ageMaxSeconds} seconds ago. Create a new assertion.`
)
const usedAlready = assertionRefused("This assertion was already used. Create a new assertion.")
const issuerUnreachable = new Unavailable({
  why: "The pod cannot get the keys of the issuer of the assertion, because the issuer does not answer. Try again later.",
  retryAfterSeconds: restSeconds
})

const agingClaims: ReadonlySet<string> = new Set(["iat", "exp", "nbf"])

const failureOf = (cause: unknown): Invalid | Unavailable => {
  if (cause instanceof errors.JWTExpired) return outOfTime
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return agingClaims.has(cause.claim) && cause.reason !== "missing"
      ? outOfTime
      : assertionRefused(
          `The claim \`${cause.claim}\` of the assertion is missing, or has a value that this pod does not accept.`
        )
  }
  const isOfKey =
    cause instanceof errors.JWSSignatureVerificationFailed ||
    cause instanceof errors.JWKSNoMatchingKey ||
    cause instanceof errors.JWKSMultipleMatchingKeys ||
    cause instanceof errors.JOSEAlgNotAllowed ||
    cause instanceof errors.JOSENotSupported
  if (isOfKey) return signatureUnknown
  if (cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid) return assertionUnreadable
  return issuerUnreachable
}

/** Claims of an assertion whose signature is not checked yet, so anybody can have written them. */
export interface UnprovenClaims {
  /** The address of the issuer, without a slash at the end. Undefined if the assertion names no issuer. */
  readonly issuer: string | undefined
  readonly type: unknown
}

/** What one route requires of an assertion, in addition to the rules for all assertions. */
export interface AssertionRules {
  /** The address of the trusted issuer, without a slash at the end. */
  readonly issuer: string
  readonly audience: string
  /**
   * The route that accepts the assertion. Each route accepts an assertion once, so other routes can still accept it.
   */
  readonly route: string
  /** Checks the claims that only this route requires. Returns the fault. Returns undefined if there is no fault. */
  readonly fault: (claims: JWTPayload) => string | undefined
}

export class Assertions extends Context.Tag("pod/Assertions")<
  Assertions,
  {
    /** Reads the claims of a JWT without checking the signature. So these claims are not proven. */
    readonly claimsIn: (assertion: string) => Effect.Effect<UnprovenClaims, Invalid>
    /**
     * Accepts a valid assertion that nobody has used on this route before. Fails with Invalid for any other assertion,
     * and with Unavailable if the issuer does not answer.
     */
    readonly accept: (assertion: string, expected: AssertionRules) => Effect.Effect<void, Invalid | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fingerprints = yield* Fingerprints
      const idempotency = yield* Idempotency
      const { issuers: trusted } = yield* FederationSettings
      const keysOf = issuerKeys(trusted, yield* Outbound)

      const idOf = ({ exp = 0, iat = 0, jti }: JWTPayload) => {
        if (exp - iat > ageMaxSeconds || exp <= iat) return Effect.fail(tooLong)
        return typeof jti === "string" && jti !== "" && jti.length <= 512
          ? Effect.succeed(jti)
          : Effect.fail(assertionRefused("The claim `jti` of the assertion must be a text of 1 to 512 characters."))
      }

      /**
       * Records that the assertion of this issuer was used. The pod keeps this record for a day, which is longer than
       * an assertion can be valid.
       */
      const use = ({ issuer, route }: AssertionRules, jti: string) =>
        Effect.catchTag(
          idempotency.once(
            `federation ${issuer}`,
            fingerprints.of({ key: jti, method: "POST", route, body: "" }),
            false,
            Effect.void
          ),
          "Conflict",
          () => Effect.fail(usedAlready)
        )

      return {
        claimsIn: (assertion) =>
          Effect.try({
            try: () => {
              const { iss, type } = decodeJwt<{ readonly type?: unknown }>(assertion)
              return { issuer: issuerAddress(iss), type }
            },
            catch: () => assertionUnreadable
          }),
        accept: Effect.fnUntraced(function* (assertion, expected) {
          const { audience, issuer } = expected
          if (!isSafeAddress(issuer)) return yield* notTrusted
          const keys = yield* outsideTransaction(Effect.mapError(keysOf(issuer), () => issuerUnreachable))
          const currentDate = DateTime.toDate(yield* DateTime.now)
          const { payload } = yield* outsideTransaction(
            Effect.tryPromise({
              try: () =>
                jwtVerify(assertion, keys, {
                  algorithms,
                  issuer: [issuer, `${issuer}/`],
                  audience,
                  currentDate,
                  clockTolerance: skewSeconds,
                  maxTokenAge: ageMaxSeconds,
                  requiredClaims: ["iat", "exp", "jti"]
                }),
              catch: failureOf
            })
          )
          const id = yield* idOf(payload)
          const fault = expected.fault(payload)
          if (fault !== undefined) return yield* assertionRefused(fault)
          yield* use(expected, id)
        })
      }
    })
  )
}

/**
 * Returns the form in which the pod stores and compares the address of an issuer: without a slash at the end. Returns
 * undefined for a claim that is not a text. A stranger can write any JSON value as a claim.
 */
const issuerAddress = (named: unknown): string | undefined =>
  typeof named === "string" ? withoutLastSlashes(named) : undefined

export const issuerNotTrusted = notTrusted
