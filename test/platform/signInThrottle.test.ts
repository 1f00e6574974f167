/**
 * Tests how the pod counts sign-in attempts, as far as the contract suite does not test it: limited memory, and how a
 * client is identified.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Fiber, Option, Redacted, TestClock } from "effect"
import { EmailAddress, SignInRefused, SignInThrottled } from "../../src/platform/SignIn.ts"
import {
  accountLimit,
  clientKey,
  pairLimit,
  makeBuckets,
  makeSignInThrottle,
  successLimit
} from "../../src/platform/SignInThrottle.ts"

const anAddress = EmailAddress.make("person@example.com")
const limit = { burst: 3, refillMs: 1000 }

describe("counters of sign-in attempts", () => {
  it("a client over the sign-in limit must wait until its next attempt is allowed, and refused attempts do not make the wait longer", () => {
    const buckets = makeBuckets(limit, 10)
    assert.deepStrictEqual(
      [0, 0, 0, 0, 400, 999].map((now) => buckets.take("a", now)),
      [0, 0, 0, 1000, 600, 1]
    )
    assert.strictEqual(buckets.take("a", 1000), 0)
    assert.strictEqual(buckets.take("a", 1000), 1000)
  })
  it("if the pod removes a sign-in attempt of a client from the count, the client may make another attempt instead", () => {
    const buckets = makeBuckets(limit, 10)
    for (let time = 0; time < 3; time++) buckets.take("a", 0)
    buckets.giveBack("a")
    assert.deepStrictEqual([buckets.take("a", 0), buckets.take("a", 0)], [0, 1000])
  })
  it("when many new clients try to sign in, the number of counters stays limited, and a client that must wait still has to wait", () => {
    const buckets = makeBuckets(limit, 100)
    for (let time = 0; time < 3; time++) buckets.take("held back", 0)
    for (let key = 0; key < 10_000; key++) {
      buckets.take(`fresh ${key}`, 0)
      assert.isAtMost(buckets.size(), 100)
    }
    assert.strictEqual(buckets.take("held back", 0), 1000)
  })
  it("when the number of sign-in counters reaches its maximum, the pod first deletes the counters whose attempts are all too old to count", () => {
    const buckets = makeBuckets(limit, 2)
    buckets.take("old", 0)
    buckets.take("older", 0)
    buckets.take("fresh", 5000)
    assert.strictEqual(buckets.size(), 1)
  })
})

describe("one sign-in attempt", () => {
  it.effect(
    "a sign-in attempt counts against the sign-in limit even if the client closes the connection before the answer",
    () =>
      Effect.gen(function* () {
        const throttle = yield* makeSignInThrottle
        const attempt = throttle({ address: "192.0.2.1", email: Option.some(anAddress) }, Effect.never)
        for (let time = 0; time < pairLimit.burst; time++) {
          const fiber = yield* Effect.fork(attempt)
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(fiber)
        }
        assert.instanceOf(yield* Effect.flip(attempt), SignInThrottled)
      })
  )
})

describe("attack: somebody guesses the password of another person's account", () => {
  const guess = (throttle: Effect.Effect.Success<typeof makeSignInThrottle>, address: string) =>
    Effect.flip(throttle({ address, email: Option.some(anAddress) }, Effect.fail(new SignInRefused())))
  const signedIn = { sessionId: "s", userId: "u", expiresAt: new Date(0), token: Redacted.make("t") }
  const person = (throttle: Effect.Effect.Success<typeof makeSignInThrottle>, address: string) =>
    Effect.either(throttle({ address, email: Option.some(anAddress) }, Effect.succeed(signedIn)))
  const home = "192.0.2.1"
  const elsewhere = "192.0.2.2"

  it.effect("attack: if one address sends many guesses of a password, the pod blocks only this address", () =>
    Effect.gen(function* () {
      const throttle = yield* makeSignInThrottle
      for (let hour = 0; hour < 48; hour++) {
        for (let time = 0; time < 2 * pairLimit.burst; time++) yield* guess(throttle, "203.0.113.1")
        yield* TestClock.adjust("1 hour")
      }
      for (let time = 0; time < 2 * pairLimit.burst; time++) yield* guess(throttle, "203.0.113.1")
      assert.instanceOf(yield* guess(throttle, "203.0.113.1"), SignInThrottled)
      assert.isTrue(Either.isRight(yield* person(throttle, home)))
    })
  )

  it.effect(
    "attack: if many addresses send guesses of a person's password, the pod never blocks an address from which this person has signed in",
    () =>
      Effect.gen(function* () {
        const throttle = yield* makeSignInThrottle
        assert.isTrue(Either.isRight(yield* person(throttle, home)))
        for (let time = 0; time < accountLimit.burst; time++) yield* guess(throttle, `198.51.100.${time}`)
        assert.instanceOf(yield* guess(throttle, "198.51.100.200"), SignInThrottled)
        for (let time = 0; time < 100; time++) assert.isTrue(Either.isRight(yield* person(throttle, home)))
        assert.isTrue(Either.isLeft(yield* person(throttle, elsewhere)))
        yield* TestClock.adjust(accountLimit.refillMs)
        assert.isTrue(Either.isRight(yield* person(throttle, elsewhere)))
      })
  )

  it.effect(
    "attack: a person who signs in again and again must wait, from every address, and other people sign in as before",
    () =>
      Effect.gen(function* () {
        const throttle = yield* makeSignInThrottle
        for (let time = 0; time < successLimit.burst; time++) {
          assert.isTrue(Either.isRight(yield* person(throttle, `198.51.100.${time % 5}`)))
        }
        for (const address of ["198.51.100.1", elsewhere]) {
          for (let time = 0; time < 2 * pairLimit.burst; time++) {
            assert.isTrue(Either.isLeft(yield* person(throttle, address)))
          }
        }
        const other = Option.some(EmailAddress.make("other@example.com"))
        yield* throttle({ address: "198.51.100.1", email: other }, Effect.succeed(signedIn))
        yield* TestClock.adjust(successLimit.refillMs)
        assert.isTrue(Either.isRight(yield* person(throttle, "198.51.100.1")))
      })
  )
})

describe("the client for which sign-in attempts are counted", () => {
  it("all IPv6 addresses with the same first 64 bits count as one client, however the address is written", () => {
    const forms = ["2001:db8::1", "2001:DB8:0:0:ffff::2", "2001:0db8:0000:0000:1:2:3:4", "2001:db8::1%eth0"]
    assert.deepStrictEqual([...new Set(forms.map(clientKey))], ["2001:db8:0:0"])
  })
  it("IPv6 addresses in two different networks count as two clients", () => {
    assert.notStrictEqual(clientKey("2001:db8:0:1::1"), clientKey("2001:db8:0:2::1"))
    assert.notStrictEqual(clientKey("fe80::1"), clientKey("::1"))
  })
  it("an IPv6 address that contains an IPv4 address counts as the client with this IPv4 address", () => {
    assert.strictEqual(clientKey("::ffff:192.0.2.7"), "192.0.2.7")
    assert.strictEqual(clientKey("::FFFF:c000:0207"), "192.0.2.7")
  })
  it("if the client address is not an IP address, the sign-in counters use its first 64 characters as the name of the client", () => {
    for (const address of ["", "not an address", "[::1]", "x".repeat(100_000)]) {
      assert.strictEqual(clientKey(address), address.slice(0, 64))
    }
  })
})
