/**
 * The rules for every store that keeps the answers of mutations for repeated requests. The tests run on memory, PGlite
 * and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, type Layer, Ref } from "effect"
import { NotFound } from "../../../src/doors/Failure.ts"
import { Idempotency, type IdempotentRequest } from "../../../src/doors/Idempotency.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { fingerprintOf, fingerprintsUnder } from "../../support/fingerprints.ts"
import { Engine, type Stores } from "../../support/stores.ts"
import { upTo } from "../../support/people.ts"

const aPrint = (request: Partial<IdempotentRequest> = {}) =>
  fingerprintOf({ key: "key-00000001", method: "POST", route: "/entities", body: "{}", ...request })

/** A mutation that counts how often it took effect. Its first `failures` runs fail. */
const aMutation = (failures = 0) =>
  Effect.gen(function* () {
    const runs = yield* Ref.make(0)
    const run = Effect.flatMap(
      Ref.updateAndGet(runs, (n) => n + 1),
      (n) => (n <= failures ? Effect.fail(new NotFound({ why: "not yet" })) : Effect.succeed({ number: n }))
    )
    return { run, runs: Ref.get(runs) }
  })

type Mutation = Effect.Effect.Success<ReturnType<typeof aMutation>>

const once = (principalId: string, { run }: Mutation, { print = aPrint(), keepsAnswer = true } = {}) =>
  Effect.flatMap(Idempotency, (idempotency) => Effect.either(idempotency.once(principalId, print, keepsAnswer, run)))

const codeOf = Either.match({
  onLeft: (failure: { readonly _tag: string }) => ("code" in failure ? failure.code : failure._tag),
  onRight: ({ isReplay }: { readonly isReplay: boolean }) => (isReplay ? "replayed" : "done")
})

export const idempotencyContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "if a mutation with an idempotency key fails in an expected way, the pod does not store the failure, and a repeated request runs again",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation(1)
      assert.strictEqual(codeOf(yield* once(principalId, mutation)), "NotFound")
      assert.deepStrictEqual(
        yield* once(principalId, mutation),
        Either.right({ answer: { number: 2 }, isReplay: false })
      )
      assert.deepStrictEqual(
        yield* once(principalId, mutation),
        Either.right({ answer: { number: 2 }, isReplay: true })
      )
    })
  )

  rule(
    "if a mutation with an idempotency key fails unexpectedly, the pod does not store the failure, and the repeated request runs again",
    Effect.gen(function* () {
      const principalId = uuidv7()
      yield* Effect.exit(once(principalId, { run: Effect.die("broken"), runs: Effect.succeed(0) }))
      assert.strictEqual(codeOf(yield* once(principalId, yield* aMutation())), "done")
    })
  )

  rule(
    "the pod does not store an answer with a secret, and every repetition of the request gets a conflict and has no second effect",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation()
      const secret = { keepsAnswer: false }
      assert.deepStrictEqual(
        yield* once(principalId, mutation, secret),
        Either.right({ answer: { number: 1 }, isReplay: false })
      )
      for (const again of [secret, { keepsAnswer: true }]) {
        assert.strictEqual(codeOf(yield* once(principalId, mutation, again)), "IDEMPOTENT_ANSWER_NOT_KEPT")
      }
      assert.strictEqual(yield* mutation.runs, 1)
    })
  )

  rule(
    "a repeated request is recognised after the secret of the pod was changed, as long as the pod also has the former secret",
    Effect.gen(function* () {
      const request = { key: "key-00000001", method: "POST", route: "/entities", body: "{}" }
      const [former, both, present] = [["a"], ["b", "a"], ["b"]].map(([first = "", ...more]) =>
        fingerprintsUnder(first, ...more).of(request)
      )
      for (const keepsAnswer of [true, false]) {
        const again = keepsAnswer ? "replayed" : "IDEMPOTENT_ANSWER_NOT_KEPT"
        const principalId = uuidv7()
        const mutation = yield* aMutation()
        assert.strictEqual(codeOf(yield* once(principalId, mutation, { print: former, keepsAnswer })), "done")
        for (const print of [both, both, former]) {
          assert.strictEqual(codeOf(yield* once(principalId, mutation, { print: print, keepsAnswer })), again)
        }
        assert.strictEqual(yield* mutation.runs, 1)
        const later = uuidv7()
        assert.strictEqual(codeOf(yield* once(later, mutation, { print: both, keepsAnswer })), "done")
        for (const print of [former, present, both]) {
          assert.strictEqual(codeOf(yield* once(later, mutation, { print: print, keepsAnswer })), again)
        }
      }
    })
  )

  rule(
    "if a mutation is sent at the same moment to pods that have the same secrets in different orders, the mutation has one effect",
    Effect.gen(function* () {
      const request = { key: "key-00000001", method: "POST", route: "/entities", body: "{}" }
      const prints = [fingerprintsUnder("a", "b"), fingerprintsUnder("b", "a")].map(({ of }) => of(request))
      const principalId = uuidv7()
      const mutation = yield* aMutation()
      const outcomes = yield* Effect.forEach(
        upTo(20),
        (each) => once(principalId, mutation, { print: prints[each % 2] }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(outcomes.filter(Either.isRight), 20)
      assert.strictEqual(yield* mutation.runs, 1)
    })
  )

  rule(
    "two callers that use the same idempotency key get separate answers",
    Effect.gen(function* () {
      const mutation = yield* aMutation()
      assert.strictEqual(codeOf(yield* once(uuidv7(), mutation)), "done")
      assert.strictEqual(codeOf(yield* once(uuidv7(), mutation)), "done")
      assert.strictEqual(yield* mutation.runs, 2)
    })
  )

  rule(
    "a request with the same idempotency key but another body, route or method is a different request and not a repetition",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation()
      const others = [{}, { body: '{"a":1}' }, { route: "/knowledge" }, { method: "PATCH" }, { key: "key-00000002" }]
      for (const other of others) {
        assert.strictEqual(codeOf(yield* once(principalId, mutation, { print: aPrint(other) })), "done")
      }
      assert.strictEqual(yield* mutation.runs, others.length)
    })
  )

  rule(
    "if a mutation is sent fifty times at the same moment with one idempotency key, the mutation has one effect, and all callers get the same answer",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation()
      const outcomes = yield* Effect.forEach(upTo(50), () => once(principalId, mutation), { concurrency: "unbounded" })
      assert.strictEqual(yield* mutation.runs, 1)
      const answers = outcomes.map(Either.getOrThrow)
      for (const { answer } of answers) assert.deepStrictEqual(answer, { number: 1 })
      assert.lengthOf(
        answers.filter(({ isReplay }) => !isReplay),
        1
      )
    })
  )

  rule(
    "if a mutation is sent many times at the same moment with one idempotency key and the first attempt fails, another attempt runs",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation(1)
      const outcomes = yield* Effect.forEach(upTo(12), () => once(principalId, mutation), { concurrency: "unbounded" })
      assert.sameMembers(outcomes.map(codeOf), ["NotFound", "done", ...Array.from({ length: 10 }, () => "replayed")])
      assert.strictEqual(yield* mutation.runs, 2)
    })
  )

  rule(
    "if a mutation is sent twice at the same moment with one idempotency key and the first attempt is interrupted, the waiting attempt runs",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const began = yield* Deferred.make<void>()
      const hanging = {
        run: Effect.zipRight(Deferred.succeed(began, undefined), Effect.never),
        runs: Effect.succeed(0)
      }
      const first = yield* Effect.fork(once(principalId, hanging))
      yield* Deferred.await(began)
      const second = yield* Effect.fork(Effect.flatMap(aMutation(), (mutation) => once(principalId, mutation)))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      assert.strictEqual(codeOf(yield* Fiber.join(second)), "done")
    })
  )

  for (const answer of [undefined, null, "", 0, false, [], { nested: [null, "ключ 🗝️"] }]) {
    rule(
      `a mutation that is repeated with its idempotency key gets the stored answer ${JSON.stringify(answer)} unchanged`,
      Effect.gen(function* () {
        const principalId = uuidv7()
        const mutation = { run: Effect.succeed(answer), runs: Effect.succeed(0) } as unknown as Mutation
        yield* once(principalId, mutation)
        assert.deepStrictEqual(yield* once(principalId, mutation), Either.right({ answer, isReplay: true }))
      })
    )
  }

  rule(
    "a mutation that is repeated with its idempotency key after more than a day is a new request",
    Effect.gen(function* () {
      const principalId = uuidv7()
      const mutation = yield* aMutation()
      for (const keepsAnswer of [true, false]) {
        const print = aPrint({ key: `after-a-day-${keepsAnswer}` })
        assert.strictEqual(codeOf(yield* once(principalId, mutation, { print, keepsAnswer })), "done")
        yield* Effect.flatMap(Engine, ({ aDayLater }) => aDayLater)
        assert.strictEqual(codeOf(yield* once(principalId, mutation, { print, keepsAnswer })), "done")
        const after = keepsAnswer ? "replayed" : "IDEMPOTENT_ANSWER_NOT_KEPT"
        assert.strictEqual(codeOf(yield* once(principalId, mutation, { print, keepsAnswer })), after)
      }
    })
  )
}
