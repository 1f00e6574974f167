/** Accepts assertions of the issuers that the operator of the pod trusts. */
import { Context, Effect, Layer } from "effect"
import type { Invalid, Unavailable } from "../../doors/Failure.ts"
import { assertionRefused, Assertions, issuerNotTrusted } from "./Assertions.ts"
import { oidcPurpose } from "./Federation.ts"
import { FederationSettings } from "./FederationSettings.ts"

const trustsNobody = assertionRefused(
  "This pod trusts no issuer. The operator of the pod can set `POD_OIDC_ISSUERS` and `POD_OIDC_AUDIENCE`."
)

const route = "/federation/oidc-config"

export class Federations extends Context.Tag("pod/Federations")<
  Federations,
  {
    /**
     * Accepts a valid assertion of a trusted issuer on its first use. Fails with Invalid for any other assertion, and
     * with Unavailable if the issuer does not answer.
     */
    readonly accept: (assertion: string) => Effect.Effect<void, Invalid | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { audience, issuers } = yield* FederationSettings
      const assertions = yield* Assertions
      return {
        accept: Effect.fnUntraced(function* (assertion) {
          if (issuers.length === 0 || audience === null) return yield* trustsNobody
          const { issuer } = yield* assertions.claimsIn(assertion)
          if (issuer === undefined || !issuers.includes(issuer)) return yield* issuerNotTrusted
          yield* assertions.accept(assertion, {
            issuer,
            audience,
            route,
            fault: (claims) => {
              const named = claims["purpose"]
              return named !== undefined && named !== oidcPurpose
                ? "The claim `purpose` of the assertion has another value than this operation needs."
                : undefined
            }
          })
        })
      }
    })
  )
}
