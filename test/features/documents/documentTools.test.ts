/** The MCP tools of documents: what an agent reads before an edit, and that the same document is not created twice. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { mcp } from "../../doors/surfaces.ts"
import { storages } from "../../support/storages.ts"

for (const [where, storage] of storages) {
  describe(`document tools ${where}`, () => {
    let pod: TestPod
    let key: Caller
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      key = await pod.aKey(pod.owner)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agent = await pod.aKey(pod.owner, { agentId: made.body.result.data.id })
    })
    afterAll(() => pod?.stop())

    const call = async (caller: Caller, name: string, args: object) => {
      const { message } = await mcp(caller, "tools/call", { name, arguments: args })
      const { isError = false, structuredContent } = message.result as any
      return { isError, answer: structuredContent, text: JSON.stringify(message) }
    }
    const read = (documentId: string, format?: string) => call(key, "svc_get_document", { documentId, format })

    it("the MCP tools for documents refuse a key without the needed permission, and refuse to create a document from a web address", async () => {
      const { answer } = await call(key, "svc_create_document", { title: "Plan", content: "secret words" })
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["track.read"] } })
      const found = await call(narrow, "svc_get_document", { documentId: answer.document.id })
      assert.isTrue(found.isError)
      assert.notInclude(found.text, "secret words")
      assert.isTrue((await call(narrow, "svc_create_document", { title: "Plan" })).isError)
      // The pod refuses the agent before it searches for an existing document with the same content.
      await call(key, "svc_create_document", { title: "Plan", content: "known words" })
      const idle = await pod.owner.mutate("agents.create", { name: "Reader" })
      const incapable = await pod.aKey(pod.owner, { agentId: idle.body.result.data.id })
      assert.isTrue((await call(incapable, "svc_create_document", { title: "Plan", content: "known words" })).isError)
      const fetched = await call(key, "svc_create_document", { title: "Plan", url: "https://example.com" })
      assert.isTrue(fetched.isError)
      assert.isTrue((await call(key, "svc_create_document", { title: "x", idempotencyKey: "short" })).isError)
    })

    it("the MCP tool that reads documents returns the content with its revision and sections, and converts HTML to readable text if the request asks for this", async () => {
      const { answer: made } = await call(key, "svc_create_document", { title: "A", content: "# One\ntext\n# Two" })
      const { answer } = await read(made.document.id)
      assert.deepInclude(answer, { content: "# One\ntext\n# Two", revision: 1, type: "markdown", diagnostics: [] })
      assert.deepStrictEqual(
        answer.sections.map(({ start, title }: any) => [title, start]),
        [
          ["One", 0],
          ["Two", 11]
        ]
      )
      const html = await call(key, "svc_create_document", { title: "B", type: "html", content: "<p>Hi <b>you</b></p>" })
      const { id } = html.answer.document
      assert.strictEqual((await read(id)).answer.content, "<p>Hi <b>you</b></p>")
      const readable = await read(id, "readable")
      assert.strictEqual(readable.answer.content, "Hi you")
      assert.lengthOf(readable.answer.diagnostics, 1)
      const empty = await call(key, "svc_create_document", { title: "C" })
      assert.deepInclude((await read(empty.answer.document.id)).answer, { content: "", sections: [] })
    })

    it("the MCP tool that creates documents returns the existing document with the same title and content if there is one, and otherwise creates a document", async () => {
      const write = async (fields: object, caller = key) => {
        const { answer } = await call(caller, "svc_create_document", { title: "Twin", content: "words", ...fields })
        return [answer.document.id, answer.isKnown] as const
      }
      const [first] = await write({})
      assert.deepStrictEqual(await write({}), [first, true])
      for (const other of [{ content: "other words" }, { title: "Other" }]) {
        assert.isFalse((await write(other))[1], JSON.stringify(other))
      }
      const blank = await write({ content: null })
      assert.notStrictEqual((await write({ content: null }))[0], blank[0])
      await pod.owner.send("DELETE", `/api/hub/documents/${first}`)
      assert.isFalse((await write({}))[1], "a deleted document does not count as existing")
      const stranger = await pod.aKey(await pod.aPerson())
      assert.isFalse((await write({}, stranger))[1], "a document of another person does not count as existing")
    })

    it("repeated and concurrent requests with one idempotency key create only one document", async () => {
      const args = { title: "Once", content: "once", idempotencyKey: "a-key-of-mine" }
      const answers = await Promise.all(Array.from({ length: 8 }, () => call(key, "svc_create_document", args)))
      assert.lengthOf(new Set(answers.map(({ answer }) => answer.document.id)), 1)
      assert.lengthOf(
        answers.filter(({ answer }) => !answer.isKnown),
        1
      )
      const other = await call(key, "svc_create_document", { ...args, idempotencyKey: "another-key" })
      assert.notStrictEqual(other.answer.document.id, answers[0]?.answer.document.id)
    })

    it("an agent's new document becomes a proposal, and a repeated request with the same idempotency key gets the same proposal", async () => {
      const args = { title: "Asked", content: "asked", idempotencyKey: "a-key-of-the-agent" }
      const first = await call(agent, "svc_create_document", args)
      assert.deepInclude(first.answer, { status: "proposed", proposalType: "document.create" })
      const again = await call(agent, "svc_create_document", args)
      assert.strictEqual(again.answer.proposalId, first.answer.proposalId)
    })

    it("a key that may create but not read documents gets the created document in the answer to its request", async () => {
      const writer = await pod.aKey(pod.owner, { grant: { permissions: ["document.create"] } })
      for (const more of [{}, { idempotencyKey: "a-key-to-write" }]) {
        const { isError, answer } = await call(writer, "svc_create_document", { title: "W", content: "w", ...more })
        assert.deepStrictEqual([isError, answer.document.title], [false, "W"])
      }
    })
  })
}
