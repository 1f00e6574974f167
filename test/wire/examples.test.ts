/** Runs the unchanged programs of examples/ against a pod. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { text } from "node:stream/consumers"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type TestPod } from "../support/pod.ts"

describe("the examples", () => {
  let pod: TestPod
  const running = new Set<ChildProcess>()
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, { webhookAllow: ["127.0.0.1"] })
  })
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL")
    await pod.stop()
  })

  const launch = (name: string, environment: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [`${projectRoot}examples/${name}`], {
      env: { PATH: process.env["PATH"] ?? "", POD_URL: pod.baseUrl, ...environment },
      stdio: ["ignore", "pipe", "inherit"]
    })
    running.add(child)
    child.once("close", () => running.delete(child))
    return child
  }
  /** The output of an example program that ends by itself. */
  const outputOf = (name: string, environment: Readonly<Record<string, string>>) =>
    text(launch(name, environment).stdout)
  /** The first line of a running program that matches `fits`. Fails if the program ends before. */
  const lineOf = (child: ChildProcess, fits: RegExp) =>
    new Promise<string>((resolve, reject) => {
      let output = ""
      child.stdout!.on("data", (part) => {
        output += part
        const line = output.split("\n").find((each) => fits.test(each))
        if (line !== undefined) resolve(line)
      })
      child.once("close", () => reject(new Error(`it ended: ${output}`)))
    })
  const aSecret = async (scope: ReadonlyArray<string>, permissions: ReadonlyArray<string> = ["*"]) =>
    (await pod.aKey(pod.owner, { scope, grant: { permissions } })).secret

  it("every example program is listed in examples/README.md and has a test", () => {
    const files = readdirSync(`${projectRoot}examples`).filter((name) => name.endsWith(".mjs"))
    const [page = "", self = ""] = ["examples/README.md", "test/wire/examples.test.ts"].map((name) =>
      readFileSync(projectRoot + name, "utf8")
    )
    assert.deepStrictEqual(
      files.filter((name) => !page.includes(`\`${name}\``) || !self.includes(`"${name}"`)),
      []
    )
  })

  it("the example fetchNotes creates notes and lists them page by page", async () => {
    const key = await aSecret(["hub-protocol.read", "hub-protocol.write"], ["entity.note"])
    const output = await outputOf("fetchNotes.mjs", { POD_API_KEY: key })
    assert.match(output, /created \S+ Buy paint/)
    assert.lengthOf(output.match(/Call the roofer/g) ?? [], 2)
  })

  it("the example agentProposes files a proposal and waits until a person has decided it", async () => {
    const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    const { secret } = await pod.aKey(pod.owner, {
      agentId: body.result.data.id,
      scope: ["hub-protocol.read", "hub-protocol.write"],
      grant: { permissions: ["entity.note", "proposal"] }
    })
    const child = launch("agentProposes.mjs", { POD_API_KEY: secret })
    const decided = lineOf(child, /^decided/)
    const proposed = await lineOf(child, /^proposed/)
    const id = /proposed: ([\w-]+)/.exec(proposed)?.[1] ?? ""
    const { contentHash } = (await pod.owner.send("GET", `/api/hub/proposals/${id}`)).body
    assert.strictEqual((await pod.owner.send("POST", `/api/hub/proposals/${id}/approve`, { contentHash })).status, 200)
    assert.strictEqual(await decided, "decided: approved")
  })

  it("the example trpcClient prints the caller and the notes", async () => {
    const output = await outputOf("trpcClient.mjs", { POD_API_KEY: await aSecret(["hub-protocol.read"]) })
    assert.include(output, `caller ${pod.ownerId}`)
    assert.include(output, "note Buy paint")
  })

  it("the example mcpClient lists the tools of the pod and calls one of them", async () => {
    const output = await outputOf("mcpClient.mjs", { POD_API_KEY: await aSecret(["mcp.read"]) })
    assert.match(output, /^tools .*svc_get_entities/)
    assert.include(output, "Buy paint")
  })

  it("the example followEvents prints new events, and stops when its key is revoked", async () => {
    const key = await pod.aKey(pod.owner, { scope: ["realtime:observe"], grant: { permissions: ["*"] } })
    const child = launch("followEvents.mjs", { POD_API_KEY: key.secret })
    const seen = lineOf(child, /^entity\.note\.create/)
    const refused = lineOf(child, /^refused/)
    await lineOf(child, /^following/)
    const { body } = await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Sweep the yard" })
    assert.include(await seen, body.id)
    await pod.owner.mutate("apiKeys.revoke", { keyId: key.id })
    assert.strictEqual(await refused, "refused: 401")
  })

  it("the example webhookReceiver accepts the calls of the pod and refuses calls without a valid signature", async () => {
    // The pod creates the secret of a webhook only when it knows the address. So the receiver first starts with any
    // secret to get a port. Then it starts again on the same port with the secret of the pod.
    const first = launch("webhookReceiver.mjs", { PORT: "0", WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" })
    const port = /\d+/.exec(await lineOf(first, /^listening/))?.[0] ?? ""
    const closed = new Promise((resolve) => first.once("close", resolve))
    first.kill("SIGKILL")
    await closed
    const url = `http://127.0.0.1:${port}/`
    const { body } = await pod.owner.mutate("webhooks.create", { name: "example", url, eventTypes: ["*.create"] })
    const second = launch("webhookReceiver.mjs", { PORT: port, WEBHOOK_SECRET: body.result.data.secret })
    const received = lineOf(second, /^received/)
    await lineOf(second, /^listening/)
    assert.strictEqual((await fetch(url, { method: "POST", body: "{}" })).status, 401)
    await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Clean the gutter" })
    assert.strictEqual(await received, "received entity.note.create")
  })

  it("the example openaiClient prints an error if the pod has no model", async () => {
    const output = await outputOf("openaiClient.mjs", { POD_API_KEY: await aSecret(["chat.stream"]) })
    assert.strictEqual(output.trim(), "no answer: no_provider")
  })
})
