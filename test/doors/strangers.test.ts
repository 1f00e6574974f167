/**
 * The answer to a write does not show which records of other people exist. An id of another person's record and a
 * missing id get the same answer.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPod, type Caller, type Storage, type TestPod } from "../support/pod.ts"
import { isLong, onOneDatabase } from "../support/storages.ts"
import { aStoredKey } from "./callers.ts"
import { type Approach, ask, type CallResult, nameOf } from "./surfaces.ts"
import { type Things, makeThings } from "./things.ts"
import { allApproaches } from "./walk.ts"

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const secret = /svc_[a-z_]+_[0-9A-Za-z]{32,}/g
const moment = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g

/** Returns the same input with a new id in place of every id. Equal ids stay equal. */
const aboutMissing = (input: unknown): unknown => {
  const other = new Map<string, string>()
  const text = JSON.stringify(input).replaceAll(uuid, (id) => {
    const known = other.get(id) ?? uuidv7()
    other.set(id, known)
    return known
  })
  return JSON.parse(text)
}

const steady = ({ body, code, verdict }: CallResult) =>
  JSON.stringify({ verdict, code, body })
    .replaceAll(uuid, "an id")
    .replaceAll(moment, "a moment")
    // Each time the test sends the same fact, the pod raises the count of the fact by one. So the test ignores the
    // count.
    .replaceAll(/"level":"(\w+)"(.{0,200}?)"count":\d+/g, '"level":"$1"$2"count":"so many"')
    .replaceAll(secret, "a secret")

const suite = (storage: () => Storage) => {
  let pod: TestPod
  let writes: ReadonlyArray<Approach>
  let things: Things
  let maker: Caller & { readonly id: string }
  let stranger: Caller & { readonly id: string }
  beforeAll(async () => {
    pod = await aPod(storage())
    const ways = (await allApproaches(pod, false)).filter(({ operation }) => operation.door._tag !== "Public")
    writes = ways.filter(({ operation }) => operation.kind === "mutation")
    maker = await pod.aPerson()
    stranger = await pod.aPerson()
    things = await makeThings(pod, maker, ways)
  })
  afterAll(() => pod?.stop())

  for (const through of ["a key for everything", "a session"] as const) {
    it(`a write with ${through} gets the same answer for a hidden record and for a missing record`, async () => {
      const { secret } = await aStoredKey(pod, stranger.id)
      const caller = through === "a session" ? pod.as(stranger.headers) : pod.as({ authorization: `Bearer ${secret}` })
      const faults: Array<string> = []
      let compared = 0
      for (const way of writes) {
        const isSession = way.operation.door._tag === "Session" || way.place === "session"
        // An operation without input names no record of another person. An operation that returns a new secret gives a
        // different answer each time. So the test does not compare these operations.
        const isComparable = way.takesInput && !way.operation.answersSecret
        if (isSession !== (through === "a session") || !isComparable) continue
        const input = await things.inputFor(way)
        // This call creates the records of the stranger, so that both compared calls find them.
        await ask(caller, way, aboutMissing(input))
        const [theirs, nothing] = [await ask(caller, way, input), await ask(caller, way, aboutMissing(input))]
        compared += 1
        if (steady(theirs) !== steady(nothing) || theirs.verdict.startsWith("status 5")) {
          faults.push(`${nameOf(way)}: ${steady(theirs)} and not ${steady(nothing)}`.slice(0, 1000))
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.isAbove(compared, 10)
    })
  }
}

if (isLong) describe("a pod in memory", () => suite(() => ({ kind: "memory" })))
onOneDatabase(suite)
