/** Runs the unchanged programs of examples/ against a pod. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { type Examples, examplesOf } from "../support/exampleProgram.ts"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type TestPod } from "../support/pod.ts"

describe("the examples", () => {
  let pod: TestPod
  let examples: Examples
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, { webhookAllow: ["127.0.0.1"] })
    examples = examplesOf(pod)
  })
  afterAll(async () => {
    examples.stop()
    await pod.stop()
  })

  it("every example program is listed in examples/README.md and has a test", () => {
    const files = readdirSync(`${projectRoot}examples`, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:mjs|py|sh|ts)$/.test(name)
    )
    assert.isAtLeast(files.length, 18)
    const page = readFileSync(`${projectRoot}examples/README.md`, "utf8")
    const self = ["examples", "guideExamples", "curlExamples"]
      .map((name) => readFileSync(`${projectRoot}test/docs/${name}.test.ts`, "utf8"))
      .join("\n")
    assert.deepStrictEqual(
      files.filter((name) => !page.includes(`\`${name}\``) || !self.includes(`"${name}"`)),
      []
    )
  })

  it("the example `fetchNotes` creates notes and lists them page by page", async () => {
    const key = await examples.aSecret(["hub-protocol.read", "hub-protocol.write"], ["entity.note"])
    const output = await examples.outputOf("fetchNotes.mjs", { POD_API_KEY: key })
    assert.match(output, /created \S+ Buy paint/)
    assert.lengthOf(output.match(/Call the roofer/g) ?? [], 2)
  })

  it("the example `agentProposes` creates a proposal and waits until a person has decided on it", async () => {
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    const { secret } = await pod.aKey(pod.owner, {
      agentId: body.result.data.id,
      scope: ["hub-protocol.read", "hub-protocol.write"],
      grant: { permissions: ["entity.note", "proposal"] }
    })
    const child = examples.launch("agentProposes.mjs", { POD_API_KEY: secret })
    const decided = examples.lineOf(child, /^decided/)
    const proposed = await examples.lineOf(child, /^proposed/)
    const id = /proposed: ([\w-]+)/.exec(proposed)?.[1] ?? ""
    const { contentHash } = (await pod.owner.send("GET", `/api/hub/proposals/${id}`)).body
    assert.strictEqual((await pod.owner.send("POST", `/api/hub/proposals/${id}/approve`, { contentHash })).status, 200)
    assert.strictEqual(await decided, "decided: approved")
  })

  it("the example `trpcClient` prints the caller and the caller's notes", async () => {
    const output = await examples.outputOf("trpcClient.mjs", {
      POD_API_KEY: await examples.aSecret(["hub-protocol.read"])
    })
    assert.include(output, `caller ${pod.ownerId}`)
    assert.include(output, "note Buy paint")
  })

  it("the example `mcpClient` lists the tools of the pod and calls one of them", async () => {
    const output = await examples.outputOf("mcpClient.mjs", { POD_API_KEY: await examples.aSecret(["mcp.read"]) })
    assert.match(output, /^tools .*svc_get_entities/)
    assert.include(output, "Buy paint")
  })

  it("the example `followEvents` prints new events, and stops when its key is revoked", async () => {
    const key = await pod.aKey(pod.owner, { scope: ["realtime:observe"], grant: { permissions: ["*"] } })
    const child = examples.launch("followEvents.mjs", { POD_API_KEY: key.secret })
    const seen = examples.lineOf(child, /^entity\.note\.create/)
    const refused = examples.lineOf(child, /^refused/)
    await examples.lineOf(child, /^following/)
    const { body } = await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Sweep the yard" })
    assert.include(await seen, body.id)
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    assert.strictEqual(await refused, "refused: 401")
  })

  it("the example `webhookReceiver` accepts the calls of the pod and refuses calls without a valid signature", async () => {
    // The pod creates the secret of a webhook only when it knows the receiver's address. So the receiver first starts
    // with any secret, to get a port. Then it starts again on this port, with the secret from the pod.
    const first = examples.launch("webhookReceiver.mjs", {
      PORT: "0",
      WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    })
    const port = /\d+/.exec(await examples.lineOf(first, /^listening/))?.[0] ?? ""
    const closed = new Promise((resolve) => first.once("close", resolve))
    first.kill("SIGKILL")
    await closed
    const url = `http://127.0.0.1:${port}/`
    const { body } = await pod.owner.mutate("webhooks.create", { name: "example", url, eventTypes: ["*.create"] })
    const second = examples.launch("webhookReceiver.mjs", { PORT: port, WEBHOOK_SECRET: body.result.data.secret })
    const received = examples.lineOf(second, /^received/)
    await examples.lineOf(second, /^listening/)
    assert.strictEqual((await fetch(url, { method: "POST", body: "{}" })).status, 401)
    await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Clean the gutter" })
    assert.strictEqual(await received, "received entity.note.create")
  })

  it("the example `openaiClient` prints an error if the pod has no model", async () => {
    const output = await examples.outputOf("openaiClient.mjs", { POD_API_KEY: await examples.aSecret(["chat.stream"]) })
    assert.strictEqual(output.trim(), "no answer: no_provider")
  })
})
