/** A stranger cannot use the setup route of a pod to make the pod do expensive work. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { afterEach } from "vitest"
import { People } from "../../src/features/people/People.ts"
import { PeopleStore } from "../../src/features/people/PeopleStore.ts"
import { SignIn } from "../../src/platform/SignIn.ts"
import { aPod, type TestPod } from "../support/pod.ts"

let pod: TestPod
afterEach(() => pod.stop())

/** Starts a pod. Counts how many passwords the pod hashes, and how often the pod checks whether it has an owner. */
const aCountedPod = async () => {
  const counted = { hashes: 0, questions: 0 }
  const signIn = Layer.effect(
    SignIn,
    Effect.map(SignIn, (service) => ({
      ...service,
      hashPassword: (password: Redacted.Redacted) =>
        Effect.suspend(() => {
          counted.hashes++
          return service.hashPassword(password)
        })
    }))
  )
  const store = Layer.effect(
    PeopleStore,
    Effect.map(PeopleStore, (service) => ({
      ...service,
      hasOwner: Effect.suspend(() => {
        counted.questions++
        return service.hasOwner
      })
    }))
  )
  pod = await aPod({ kind: "memory" }, {}, { adapters: Layer.mergeAll(signIn, store) })
  const before = { ...counted }
  return { hashes: () => counted.hashes - before.hashes, questions: () => counted.questions - before.questions }
}

const claim = (token: string) =>
  pod.stranger.send("POST", "/setup/claim", { token, email: "new@example.com", password: "a password of length" })

describe("attack: a stranger claims a pod that already has an owner", () => {
  it("when a stranger tries to claim a pod that has an owner, the pod answers 409, computes no password hash, and reads the database at most once", async () => {
    const counted = await aCountedPod()
    const link = await pod.run(Effect.flatMap(People, ({ setupLink }) => setupLink))
    for (const token of ["guessed", "x".repeat(200), Redacted.value(link)]) {
      const { body, status } = await claim(token)
      assert.deepStrictEqual([status, body.code], [409, "ALREADY_CLAIMED"])
    }
    assert.strictEqual(counted.hashes(), 0)
    assert.isAtMost(counted.questions(), 1)
    assert.strictEqual((await pod.stranger.send("GET", "/livez")).status, 200)
    assert.strictEqual((await pod.owner.send("GET", "/api/hub/users/me")).status, 200)
  })
})
