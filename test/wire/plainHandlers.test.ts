/** The pod answers some public operations without a fiber. The answer must be the same as with a fiber. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Catalog } from "../../src/doors/Catalog.ts"
import { exchange } from "../support/exchange.ts"
import { aPod, type TestPod } from "../support/pod.ts"

describe("a public operation without a fiber", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod?.stop())

  it("the answer of /livez has the same status, headers and body, whether its handler runs in a fiber or without a fiber", async () => {
    const { rest } = (await pod.run(Effect.flatMap(Catalog, ({ compiled }) => compiled))) as any
    const operation = [...rest].find(({ path }: { readonly path: string }) => path === "/livez")
    const asked = async () => {
      const { headers, status, text } = await exchange(`${pod.baseUrl}/livez`, "GET", { "x-request-id": "same" })
      return {
        status,
        headers: [...headers].filter(([name]) => name !== "date"),
        body: { ...JSON.parse(text), timestamp: "time" }
      }
    }
    const plain = operation.answerPlainly
    assert.isFunction(plain)
    const without = await asked()
    let used = 0
    operation.answerPlainly = () => {
      used += 1
      return plain()
    }
    await asked()
    assert.strictEqual(used, 1)
    delete operation.answerPlainly
    assert.deepStrictEqual(await asked(), without)
    assert.strictEqual(used, 1)
  })
})
