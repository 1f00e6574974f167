/**
 * Answers over HTTP: the request to the model, the part of its answer that the pod returns, and the report of each
 * failure.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import { aLog } from "../../support/logs.ts"
import { aModelStub, type ModelReply, type ModelStub, replies } from "../../support/modelStub.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const secret = "sk-of-the-pod-4711"
const path = "/api/hub/knowledge/answer"

const ask = async (caller: Caller, body: object) => {
  const answer = await caller.send("POST", path, body)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

for (const [where, storage] of storages) {
  describe(`answers of the language model ${where}`, () => {
    let stub: ModelStub
    let pod: TestPod
    let crane: { readonly id: string }
    let tides: { readonly id: string }
    const make = async (caller: Caller, entity: object) => {
      const { body, status } = await caller.send("POST", "/api/hub/entities", { profileSlug: "note", ...entity })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const question = "When was the crane on the quay inspected?"
    const withModel = () => ({
      languageModelUrl: Option.some(stub.url),
      languageModelName: Option.some("small"),
      languageModelKey: Option.some(Redacted.make(secret))
    })

    beforeAll(async () => {
      stub = await aModelStub()
      pod = await aPod(storage, withModel())
      crane = await make(pod.owner, {
        title: "Crane",
        description: "The crane on the quay was inspected in March 2026 by Miller."
      })
      tides = await make(pod.owner, { title: "Quay at high tide", description: "The quay is flooded at high tide." })
    })
    afterAll(async () => {
      await pod.stop()
      await stub.stop()
    })

    it("the pod refuses a question of a stranger or of a key with a narrow grant, and a question without text, and does not call the language model", async () => {
      stub.reply(replies.saying("Hello [1]."))
      assert.strictEqual((await pod.stranger.send("POST", path, { question })).status, 401)
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      const narrow = await key.send("POST", path, { question })
      assert.deepStrictEqual([narrow.status, narrow.body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
      for (const body of [{}, { question: "" }, { workspaceId: null }, { question, limit: 0 }, { question, no: 1 }]) {
        assert.strictEqual((await pod.owner.send("POST", path, body)).status, 400, JSON.stringify(body))
      }
      assert.include((await pod.owner.send("POST", path, {})).body.error, "question or query")
      assert.strictEqual(stub.asked().length, 0)
    })

    it("the answer to a question has the text of the model with the sources that it cites, and the parameter `question` has priority over `query`", async () => {
      stub.reply(replies.saying("The crane on the quay was inspected in March 2026 [1]."))
      const body = await ask(pod.owner, { question, query: "bananas" })
      assert.deepStrictEqual(body, {
        answer: "The crane on the quay was inspected in March 2026 [1].",
        sources: [{ substrate: "semantic", id: crane.id, title: "Crane" }],
        routedTo: ["semantic"],
        degraded: [],
        spaces: null
      })
      const [{ body: asked }] = stub.asked()
      const prompt = asked.messages.map(({ content }: { content: string }) => content).join("\n")
      assert.include(prompt, question)
      assert.include(prompt, "inspected in March 2026 by Miller")
      assert.notInclude(prompt, "bananas")
      assert.notInclude(JSON.stringify(asked), secret)
      assert.isNotNull((await ask(pod.owner, { query: question })).answer)
    })

    it("each citation number in an answer is the position of a source in the list of sources", async () => {
      stub.reply((response, asked) => {
        const lines: ReadonlyArray<string> = asked.body.messages[1].content.split("\n")
        const at = lines.findIndex((line) => line.includes("flooded"))
        replies.saying(`The quay is flooded at high tide [${at}].`)(response, asked)
      })
      const words = "Which quay of the crane inspected by Miller is flooded?"
      const body = await ask(pod.owner, { question: words })
      assert.deepStrictEqual(
        [body.answer, body.sources.map(({ id }: { id: string }) => id)],
        ["The quay is flooded at high tide [1].", [tides.id]]
      )
    })

    it("the language model gets no text that the caller may not read, and is not called if the search finds nothing", async () => {
      const other = await pod.aPerson()
      await make(other, { title: "Other crane", description: "The crane of another person was inspected in May." })
      stub.reply(replies.saying("The crane on the quay was inspected in March 2026 [1]."))
      await ask(pod.owner, { question })
      assert.notInclude(JSON.stringify(stub.asked()), "another person")
      stub.reply(replies.saying("Hello [1]."))
      const body = await ask(other, { question: "zirconium" })
      assert.deepStrictEqual([body.answer, body.sources, body.failure, stub.asked().length], [null, [], undefined, 0])
    })

    it("if the model says that the sources contain no answer, the pod returns all sources, no answer and no failure", async () => {
      stub.reply(replies.saying("NO ANSWER."))
      const body = await ask(pod.owner, { question })
      assert.deepStrictEqual([body.answer, body.failure, body.error], [null, undefined, undefined])
      assert.sameMembers(
        body.sources.map(({ id }: { id: string }) => id),
        [crane.id, tides.id]
      )
    })

    const faults: ReadonlyArray<readonly [code: string, isRetryable: boolean, what: string, reply: ModelReply]> = [
      ["invalid_response", true, "an answer without a citation", replies.saying("It was inspected in March 2026.")],
      [
        "invalid_response",
        true,
        "a citation of a source that does not exist",
        replies.saying("The crane was inspected in March 2026 [7].")
      ],
      [
        "invalid_response",
        true,
        "a text with words that are not in the sources",
        replies.saying("Bananas grow in Ecuador and Peru [1].")
      ],
      ["invalid_response", true, "an endless stream", replies.endless],
      ["invalid_response", true, "an answer that is not valid data", replies.garbage],
      ["upstream_error", true, "an error in the stream", replies.json(200, { error: { message: secret } })],
      [
        "rate_limited",
        true,
        "a refusal with the status 429 and a long wait",
        replies.refusing(429, {}, { "retry-after": "3600" })
      ],
      [
        "provider_auth",
        false,
        "a refusal with the status 401",
        replies.refusing(401, { message: `no such key: ${secret}` })
      ],
      ["provider_no_credit", false, "a refusal with the status 402", replies.refusing(402)],
      [
        "quota_exhausted",
        false,
        "a refusal with the status 429 because the quota is used up",
        replies.refusing(429, { code: "insufficient_quota" })
      ],
      [
        "context_length_exceeded",
        false,
        "a refusal of a text that is too long",
        replies.refusing(400, { code: "context_length_exceeded" })
      ],
      ["content_filter", false, "a stop by the content filter", replies.saying("Well", 1, "content_filter")],
      ["bad_request", false, "a refusal of an unknown model", replies.refusing(404)]
    ]
    it.each(faults)(
      "the pod returns the sources and the failure code “%s” (retryable: %s) in place of an answer after %s",
      async (...fault) => {
        const [code, isRetryable, , reply] = fault
        stub.reply(reply)
        const body = await ask(pod.owner, { question })
        assert.deepStrictEqual([body.failure.code, body.failure.retryable, body.answer], [code, isRetryable, null])
        assert.strictEqual(body.error, body.failure.message)
        assert.sameMembers(
          body.sources.map(({ id }: { id: string }) => id),
          [crane.id, tides.id]
        )
        assert.notInclude(JSON.stringify(body), secret)
        await stub.released()
      }
    )

    it("the pod calls the language model again after a cut connection and after one failure of the service, and the answer is complete", async () => {
      const again = replies.refusing(503, {}, { "retry-after-ms": "1" })
      stub.reply(again, replies.cutting, replies.saying("The crane on the quay was inspected in March 2026 [1]."))
      assert.isNotNull((await ask(pod.owner, { question })).answer)
      assert.strictEqual(stub.asked().length, 3)
    })

    it("the log shows the code of a model failure, but neither the key of the service nor the question", async () => {
      const log = aLog()
      const loggedPod = await aPod({ kind: "memory" }, withModel(), { logging: log.layer })
      await make(loggedPod.owner, { title: "Crane", description: "The crane was inspected in March 2026." })
      stub.reply(replies.refusing(401, { message: `no such key: ${secret}` }))
      await ask(loggedPod.owner, { question })
      await loggedPod.stop()
      const lines = JSON.stringify(log.lines)
      assert.include(lines, "provider_auth")
      for (const word of [secret, "inspected"]) assert.notInclude(lines, word)
    })

    it("the pod stops waiting for a slow model when the time limit of the call is over", async () => {
      const hasty = await aPod(storage, { ...withModel(), languageModelTimeoutSeconds: 0.1 })
      await make(hasty.owner, { title: "Crane", description: "The crane was inspected in March 2026." })
      for (const reply of [replies.silent, replies.stalling]) {
        stub.reply(reply)
        const { failure, sources } = await ask(hasty.owner, { question })
        assert.deepStrictEqual([failure.code, failure.retryable, sources.length], ["timeout", true, 1])
        await stub.released()
      }
      await hasty.stop()
    })

    it("the pod ends the call to the model when the caller closes the connection", async () => {
      stub.reply(replies.stalling)
      const controller = new AbortController()
      const call = fetch(pod.baseUrl + path, {
        method: "POST",
        signal: controller.signal,
        headers: { ...pod.owner.headers, "content-type": "application/json" },
        body: JSON.stringify({ question })
      }).catch(() => undefined)
      await stub.askedTimes(1)
      controller.abort()
      await Promise.all([call, stub.released()])
    })

    it("a pod without a model shows the sources that it found and says why it gives no answer", async () => {
      const plain = await aPod(storage)
      await make(plain.owner, { title: "Crane", description: "The crane was inspected in March 2026." })
      const body = await ask(plain.owner, { question })
      assert.deepStrictEqual([body.answer, body.sources.length, body.failure.code], [null, 1, "not_entitled"])
      assert.isFalse(body.failure.retryable)
      assert.strictEqual((await ask(plain.owner, { question: "zirconium" })).failure.code, "not_entitled")
      await plain.stop()
    })
  })
}
