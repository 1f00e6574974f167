/** Chat completions that ask for something that the pod cannot do, such as several answers or JSON. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { replies } from "../../support/modelStub.ts"
import { aChatScene, type ChatScene } from "../../support/chatScene.ts"
import { onOneStorage } from "../../support/storages.ts"

const path = "/v1/chat/completions"
const question = "When was the crane on the quay inspected?"
const asking = (text: string, more: object) => ({ messages: [{ role: "user", content: text }], ...more })

onOneStorage("chat completions with unsupported fields", (storage) => {
  let scene: ChatScene
  beforeAll(async () => {
    scene = await aChatScene(storage)
  })
  afterAll(() => scene?.stop())

  it("a chat completion request for something that the pod cannot do is refused with the name of the field, and the pod does not call the model", async () => {
    const { key, stub } = scene
    stub.reply(replies.saying("Yes."))
    for (const [param, value] of [
      ["n", 2],
      ["response_format", { type: "json_object" }],
      ["response_format", { type: "json_schema", json_schema: { name: "x", schema: {} } }],
      ["tool_choice", "required"],
      ["tool_choice", { type: "function", function: { name: "x" } }],
      ["function_call", { name: "x" }],
      ["modalities", ["text", "audio"]],
      ["logprobs", true]
    ] as const) {
      const { body, status } = await key.send("POST", path, asking(question, { [param]: value }))
      assert.deepStrictEqual([status, body.error?.code], [400, "invalid_body"], JSON.stringify(body))
      assert.strictEqual(body.error.type, "invalid_request_error")
      assert.match(body.error.param, new RegExp(`^${param}`))
      assert.match(body.error.message, /The pod .*leave out this field\.$/)
    }
    assert.strictEqual(stub.asked().length, 0)
    const harmless = {
      n: 1,
      response_format: { type: "text" },
      tools: [{ type: "function", function: { name: "x" } }],
      tool_choice: "auto",
      function_call: "none",
      modalities: ["text"],
      logprobs: false,
      // Chat clients send texts at which an answer may end. An answer that goes on after them is still an answer.
      stop: ["###"],
      top_p: 1,
      seed: 7,
      user: "x",
      logit_bias: {}
    }
    assert.strictEqual((await key.send("POST", path, asking(question, harmless))).status, 200)
  })
})
