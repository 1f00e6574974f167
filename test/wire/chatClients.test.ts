/** The published clients of OpenAI, of the AI SDK and of LangChain talk to the pod without changes. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ChatOpenAI } from "@langchain/openai"
import { generateText, streamText } from "ai"
import OpenAI, { APIError, AuthenticationError, NotFoundError, RateLimitError } from "openai"
import { aChatScene, type ChatScene } from "../support/chatScene.ts"
import { replies } from "../support/modelStub.ts"

const question = "When was the crane on the quay inspected?"
const answer = "In March 2026 [1]."
const whole = `${answer}\n\nSources:\n[1] Crane`
const counted = { prompt: 50, completion: 7 }
const messages = [{ role: "user" as const, content: question }]
const model = "svc/auto"

describe("the pod with published chat clients", () => {
  let scene: ChatScene
  beforeAll(async () => {
    scene = await aChatScene({ kind: "memory" })
  })
  afterAll(() => scene?.stop())
  const base = () => `${scene.pod.baseUrl}/v1`
  const openAi = (apiKey = scene.key.secret) => new OpenAI({ apiKey, baseURL: base(), maxRetries: 0 })

  it("the official OpenAI client can list the models and read a whole answer and a stream from the pod", async () => {
    const client = openAi()
    const names: Array<string> = []
    for await (const { id } of client.models.list()) names.push(id)
    assert.include(names, model)
    scene.stub.reply(replies.saying(answer, counted))
    const completion = await client.chat.completions.create({ model, messages, tools: [], user: "u" })
    assert.strictEqual(completion.choices[0].message.content, whole)
    assert.deepInclude(completion.usage, { prompt_tokens: 50, completion_tokens: 7, total_tokens: 57 })
    const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
    const { choices, usage } = await stream.finalChatCompletion()
    assert.deepStrictEqual([choices[0].message.content, choices[0].finish_reason], [whole, "stop"])
    assert.strictEqual(usage?.total_tokens, 57)
  })

  it("the official OpenAI client throws its error class for the failure if the pod refuses a call, the model provider limits calls, or a stream breaks", async () => {
    const { pod, stub } = scene
    const thrown = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error
      )
    assert.instanceOf(await thrown(openAi("svc_wrong").models.list()), AuthenticationError)
    const client = openAi()
    const absent = await thrown(client.chat.completions.create({ model: "none", messages }))
    assert.instanceOf(absent, NotFoundError)
    assert.strictEqual((absent as APIError).code, "model_not_found")
    const { secret } = await pod.aKey(pod.owner)
    const scopeless = await thrown(openAi(secret).chat.completions.create({ model, messages }))
    assert.strictEqual((scopeless as APIError).code, "SCOPE_MISSING")
    stub.reply(replies.refusing(429, {}, { "retry-after": "60" }))
    assert.instanceOf(await thrown(client.chat.completions.create({ model, messages })), RateLimitError)
    stub.reply(replies.ending)
    const cut = async () => {
      for await (const _chunk of await client.chat.completions.create({ model, messages, stream: true }));
    }
    assert.instanceOf(await thrown(cut()), APIError)
  })

  it("the AI SDK can read a whole answer and a stream from the pod, and reports an error in the middle of a stream", async () => {
    const { key, stub } = scene
    const provider = createOpenAICompatible({
      name: "pod",
      baseURL: base(),
      apiKey: key.secret,
      includeUsage: true
    })
    stub.reply(replies.saying(answer, counted))
    const { finishReason, text, usage } = await generateText({ model: provider(model), prompt: question })
    assert.deepStrictEqual([text, finishReason, usage.totalTokens], [whole, "stop", 57])
    const streamed = streamText({ model: provider(model), prompt: question })
    assert.strictEqual(await streamed.text, whole)
    assert.strictEqual((await streamed.usage).totalTokens, 57)
    stub.reply(replies.ending)
    const broken = streamText({ model: provider(model), prompt: question, onError: () => {} })
    const kinds: Array<string> = []
    for await (const part of broken.fullStream) kinds.push(part.type)
    assert.include(kinds, "error")
  })

  it("the LangChain client can read a whole answer and a stream from the pod", async () => {
    const { key, stub } = scene
    const chat = new ChatOpenAI({
      model,
      apiKey: key.secret,
      configuration: { baseURL: base() },
      maxRetries: 0,
      streamUsage: true
    })
    stub.reply(replies.saying(answer, counted))
    const { content, usage_metadata: usage } = await chat.invoke(question)
    assert.strictEqual(content, whole)
    assert.include(JSON.stringify(usage), '"total_tokens":57')
    let text = ""
    for await (const { content: piece } of await chat.stream(question)) if (typeof piece === "string") text += piece
    assert.strictEqual(text, whole)
  })
})
