/** Makes fingerprints of requests for tests of stores, with a secret that only the test uses. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Fingerprints, type IdempotentRequest } from "../../src/doors/Idempotency.ts"

/** The service that makes fingerprints with this secret. */
export const fingerprintsUnder = (secret: string): typeof Fingerprints.Service =>
  Context.get(Effect.runSync(Effect.scoped(Layer.build(Fingerprints.layer(Redacted.make(secret))))), Fingerprints)

const ofTests = fingerprintsUnder("a secret for tests, of no less than 32 bytes")

export const fingerprintOf = (request: IdempotentRequest) => ofTests.of(request)
