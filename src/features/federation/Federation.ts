/** A federated assertion (a signed JWT of another server), and the rules that it must follow. */
import { Schema } from "effect"
import { described, example } from "../../doors/Fields.ts"

const assertionMax = 16_000 // the maximum number of characters of one assertion

export const AssertionDraft = example(
  Schema.Struct({
    assertion: described(
      "A JWT that a trusted issuer signed for this pod at most five minutes ago.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(assertionMax))
    )
  }).annotations({ identifier: "AssertionDraft" }),
  { assertion: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIn0.c2ln" }
)

/** The maximum time between the issue and the expiry of an assertion, in seconds. */
export const ageMaxSeconds = 300
export const skewSeconds = 5

/** The value of the claim `purpose`. An assertion without this claim is accepted too. */
export const purpose = "oidc-config"

/**
 * The accepted signature algorithms. All of them sign with a private key. A signature with a shared secret, or no
 * signature, would prove nothing.
 */
export const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]
