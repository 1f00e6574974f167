/** Each call of a tRPC batch has its own cursor and, with an idempotency key, its own stored answer. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createTRPCClient, httpBatchLink } from "@trpc/client"
import { observable } from "@trpc/server/observable"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"

let pod: TestPod
let key: Caller
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  key = await pod.aKey(pod.owner)
  for (let n = 0; n < 5; n++) await pod.owner.send("POST", "/api/hub/entities", { title: `Tile ${n}` })
})
afterAll(() => pod.stop())

describe("the cursors of a tRPC batch", () => {
  it("the official tRPC client reads the cursor of each listing in a batch from the result of this listing", async () => {
    const cursors: Array<unknown> = []
    const client: any = createTRPCClient<any>({
      links: [
        () =>
          ({ next, op }) =>
            observable((observer) =>
              next(op).subscribe({
                ...observer,
                next: (value) => {
                  cursors.push((value.result as { readonly nextCursor?: unknown }).nextCursor)
                  observer.next(value)
                }
              })
            ),
        httpBatchLink({ url: `${pod.baseUrl}/api/hub/trpc`, headers: key.headers })
      ]
    })
    const read = (input: object) => client.entities.getEntities.query(input)
    const [two, all, three] = await Promise.all([read({ limit: 2 }), read({ limit: 50 }), read({ limit: 3 })])
    const titles = (page: any) => page.map((one: { readonly title: string }) => one.title)
    assert.deepStrictEqual(
      [two.length, three.length, cursors.map((cursor) => typeof cursor)],
      [2, 3, ["string", "undefined", "string"]]
    )
    const rest = await Promise.all([0, 2].map((at) => read({ limit: 50, cursor: cursors[at] })))
    assert.deepStrictEqual(rest.map(titles), [titles(all).slice(2), titles(all).slice(3)])
  })

  it("in a streamed tRPC batch, the line with the result of a listing also contains the cursor of this listing", async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { limit: 2 }, 1: { limit: 50 } }))
    const address = `${pod.baseUrl}/api/hub/trpc/entities.getEntities,entities.getEntities?batch=1&input=${input}`
    const answer = await fetch(address, { headers: { ...key.headers, "trpc-accept": "application/jsonl" } })
    const results = (await answer.text()).split("\n").filter((line) => line.includes('"data":0'))
    assert.lengthOf(results, 2)
    assert.lengthOf(
      results.filter((line) => /"data":0,"nextCursor":"[^"]+"/.test(line)),
      1
    )
  })
})

describe("an idempotency key over a tRPC batch", () => {
  it("each call of a tRPC batch with an idempotency key runs once, even if two calls are equal, and a repeated batch runs no call again", async () => {
    const send = () =>
      key.send(
        "POST",
        "/api/hub/trpc/events.log,events.log?batch=1",
        { 0: { type: "pump.started" }, 1: { type: "pump.started" } },
        { "idempotency-key": "batch-of-two" }
      )
    const idsOf = async () => (await send()).body.map((one: any) => one.result.data.id)
    const first = await idsOf()
    assert.lengthOf(new Set(first), 2)
    assert.deepStrictEqual(await idsOf(), first)
  })
})
