/** Runs the contract suite of the store that counts the tokens of models, and tests two pods that share one count. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Option } from "effect"
import { contractOf } from "../../support/contracts.ts"
import { aModelStub, replies } from "../../support/modelStub.ts"
import { aPod } from "../../support/pod.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../../support/postgres.ts"
import { onEachEngine } from "../../support/stores.ts"

onEachEngine("tokens of models", contractOf("modelTokens"))

describePostgres("the daily limit of tokens", (server) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await aDatabaseOn(server)
  })
  afterAll(() => database?.drop())

  it("the tokens that one pod uses count against the daily limit of every pod with the same database, even after the first pod has stopped", async () => {
    const stub = await aModelStub()
    try {
      const settings = {
        languageModelUrl: Option.some(stub.url),
        languageModelName: Option.some("small"),
        languageModelDailyTokens: Option.some(5000)
      }
      const asked = async () => {
        const pod = await aPod({ kind: "postgres", url: database.url }, settings)
        await pod.owner.send("POST", "/api/hub/entities", { title: "Crane", profileSlug: "note" })
        stub.reply(replies.saying("The crane [1].", 4990))
        const { body } = await pod.owner.send("POST", "/api/hub/knowledge/answer", { question: "crane" })
        await pod.stop()
        return body.failure?.code
      }
      assert.deepStrictEqual([await asked(), await asked()], [undefined, "llm_budget_exceeded"])
    } finally {
      await stub.stop()
    }
  })
})
