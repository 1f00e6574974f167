/** What a federated assertion is, and what it must hold. */
import { Schema } from "effect"
import { described, example } from "../../doors/Fields.ts"

const assertionMost = 16_000 // characters

export const AssertionDraft = example(
  Schema.Struct({
    assertion: described(
      "A signed JWT from an issuer that this pod trusts, issued for this pod at most five minutes ago.",
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(assertionMost))
    )
  }).annotations({ identifier: "AssertionDraft" }),
  { assertion: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUuY29tIn0.c2ln" }
)

/** How old an assertion may be, and how long it may hold in all. */
export const ageMostSeconds = 300
export const skewSeconds = 5

/** The use that an assertion names, where it names one. */
export const purpose = "oidc-config"

/** Signatures with a public key only: a shared secret or none proves nothing here. */
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
