/** Makes fingerprints of requests for tests of stores, with a secret that only the test uses. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Fingerprints, type IdempotentRequest } from "../../src/doors/Idempotency.ts"

/** Returns the service that makes fingerprints of requests with this secret and with the former secrets. */
export const fingerprintsUnder = (secret: string, ...former: ReadonlyArray<string>): typeof Fingerprints.Service => {
  const layer = Fingerprints.layer([Redacted.make(secret), ...former.map((each) => Redacted.make(each))])
  return Context.get(Effect.runSync(Effect.scoped(Layer.build(layer))), Fingerprints)
}

const ofTests = fingerprintsUnder("a secret for tests, of no less than 32 bytes")

export const fingerprintOf = (request: IdempotentRequest) => ofTests.of(request)
