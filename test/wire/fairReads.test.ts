/**
 * Many costly reads with one key do not delay the small reads with another key. Over HTTP too, the pod serves waiting
 * keys in turns.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Database } from "../../src/platform/Database.ts"
import { aMoment } from "../support/aMoment.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type TestPod } from "../support/pod.ts"

// All reads must begin within a second after the pod has checked their keys. Otherwise they wait for that check together,
// and not each for the connection.
const costlyReads = 24
const smallReads = 2

describe("the reads of two keys over one database connection", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "pglite", open: anEmbedded })
  })
  afterAll(() => pod?.stop())

  it("the pod answers the small reads of one key between 24 waiting costly reads of another key, and not after all of them", async () => {
    const greedy = await pod.aKey(pod.owner)
    const modest = await pod.aKey(pod.owner)
    for (let count = 0; count < 20; count++) {
      await greedy.send("POST", "/api/hub/entities", { title: `Note ${count}`, description: "x".repeat(10_000) })
    }
    const { body } = await modest.send("POST", "/api/hub/entities", { title: "Small" })
    const costly = () => greedy.send("GET", "/api/hub/entities?limit=100&q=Note")
    const small = () => modest.send("GET", `/api/hub/entities/${body.id}`)
    for (const read of [costly, small]) assert.strictEqual((await read()).status, 200)

    // While the connection is in use, the reads wait in their order: the costly reads first, and then the small reads.
    const { pool, waiting } = await pod.run(Database)
    const holder = await pool.connect()
    const order: Array<"costly" | "small"> = []
    const answered = (kind: "costly" | "small", count: number, read: typeof costly) =>
      Array.from({ length: count }, async () => {
        const { status } = await read()
        order.push(kind)
        return status
      })
    const costlyAnswers = answered("costly", costlyReads, costly)
    while (waiting() < costlyReads) await aMoment()
    const smallAnswers = answered("small", smallReads, small)
    while (waiting() < costlyReads + smallReads) await aMoment()
    holder.release()

    for (const status of await Promise.all([...costlyAnswers, ...smallAnswers])) assert.strictEqual(status, 200)
    const costlyBefore = order.slice(0, order.lastIndexOf("small")).filter((kind) => kind === "costly").length
    assert.isAtMost(costlyBefore, smallReads * 3, order.join(" "))
  })
})
