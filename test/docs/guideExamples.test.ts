/** Runs the unchanged programs of examples/ to which the guides link, and the clients in Python and Effect. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { builtExample, type Examples, examplesOf } from "../support/exampleProgram.ts"
import { projectRoot } from "../support/migrations.ts"
import { aPod, type TestPod } from "../support/pod.ts"

describe("the examples of the guides", () => {
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

  const both = ["hub-protocol.read", "hub-protocol.write"]
  const withFile = async <A>(name: string, content: string, use: (path: string) => Promise<A>): Promise<A> => {
    const path = `${projectRoot}node_modules/.${process.pid}-${name}`
    writeFileSync(path, content)
    try {
      return await use(path)
    } finally {
      rmSync(path)
    }
  }

  it("the example `typedClient.ts` creates a note, lists notes page by page, and prints what the pod refuses", async () => {
    const file = await builtExample("typedClient.ts")
    try {
      const key = await examples.aSecret(both, ["entity.note"])
      const output = await examples.outputOf(file, { POD_API_KEY: key })
      assert.match(output, /^created [\w-]{36}\n/)
      assert.match(output, /\d{4}-\d\d-\d\d Order nails\nrefused: 404\n$/)
      const ofAgent = await examples.outputOf(file, { POD_API_KEY: await examples.anAgentKey() })
      assert.match(ofAgent, /^waits for a person: [\w-]{36}\n/)
    } finally {
      rmSync(`${projectRoot}examples/${file}`)
    }
  })

  it.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
    "the example `pythonClient` creates a note, lists notes page by page, and ends with exit code 1 if the pod refuses a call (skipped without Python)",
    async () => {
      const key = await examples.aSecret(both, ["entity.note"])
      const output = await examples.outputOf("pythonClient.py", { POD_API_KEY: key })
      assert.match(output, /created \S+/)
      assert.include(output, "note Buy nails")
      assert.lengthOf(output.match(/^note /gm) ?? [], (await examples.noteTitles()).length)
      const child = examples.launch("pythonClient.py", { POD_API_KEY: await examples.aSecret(["hub-protocol.read"]) })
      assert.strictEqual(await new Promise((resolve) => child.once("close", resolve)), 1)
    }
  )

  it("the example `effectClient` repeats a call after the time that a busy pod states, and a repeated write makes only one note", async () => {
    const pauseSeconds = 1
    const arrivals: Array<{ readonly method: string; readonly atMs: number }> = []
    /**
     * Passes each call on to the pod. For the first call of each method, the caller gets "busy" instead of the answer.
     */
    const proxy = createServer((request, response) => {
      const { headers, method = "", url } = request
      const isFirst = !arrivals.some((each) => each.method === method)
      arrivals.push({ method, atMs: performance.now() })
      const passOn = async () => {
        const sent = await text(request)
        const { authorization = "", "content-type": type = "", "idempotency-key": key } = headers
        const answer = await fetch(`${pod.baseUrl}${url}`, {
          method,
          headers: {
            authorization,
            "content-type": type,
            ...(key === undefined ? {} : { "idempotency-key": `${key}` })
          },
          ...(sent === "" ? {} : { body: sent })
        })
        const body = await answer.text()
        if (isFirst) response.writeHead(503, { "retry-after": `${pauseSeconds}` }).end("{}")
        else response.writeHead(answer.status, { "content-type": "application/json" }).end(body)
      }
      void passOn()
    })
    await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening))
    const { port } = proxy.address() as AddressInfo
    const isFence = (title: string) => title === "Paint the fence"
    const before = (await examples.noteTitles()).filter(isFence).length
    const output = await examples.outputOf("effectClient.mjs", {
      POD_URL: `http://127.0.0.1:${port}`,
      POD_API_KEY: await examples.aSecret(both, ["entity.note"])
    })
    await new Promise((closed) => proxy.close(closed))
    assert.match(output, /^created [\w-]+\n[^]*^note Paint the fence$/m)
    assert.strictEqual((await examples.noteTitles()).filter(isFence).length, before + 1)
    assert.deepStrictEqual(
      arrivals.map(({ method }) => method),
      ["POST", "POST", "GET", "GET"]
    )
    for (const at of [0, 2]) {
      const waitedMs = arrivals[at + 1].atMs - arrivals[at].atMs
      assert.isTrue(waitedMs >= pauseSeconds * 1000 - 50 && waitedMs < pauseSeconds * 1000 + 900, `${waitedMs} ms`)
    }
  })

  it("the example `effectClient` creates a note and lists notes, and prints the code of a refusal", async () => {
    const output = await examples.outputOf("effectClient.mjs", {
      POD_API_KEY: await examples.aSecret(both, ["entity.note"])
    })
    assert.match(output, /^created \S+/)
    assert.include(output, "note Paint the fence")
    const refused = await examples.outputOf("effectClient.mjs", {
      POD_API_KEY: await examples.aSecret(["hub-protocol.read"])
    })
    assert.strictEqual(refused.trim(), "refused: SCOPE_MISSING")
  })

  it("the example `trpcEvents` prints a new event of the type in its argument", async () => {
    const child = examples.launch("trpcEvents.mjs", { POD_API_KEY: await examples.aSecret(["realtime:observe"]) }, [
      "entity.note.create"
    ])
    const seen = examples.lineOf(child, /^entity\.note\.create/)
    await examples.lineOf(child, /^following/)
    const { body } = await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Mow the lawn" })
    assert.include(await seen, body.id)
    child.kill("SIGKILL")
  })

  it("the example `importRecords` writes each line once, even if the program is run again", async () => {
    const rows = Array.from({ length: 9 }, (_, at) => ({ profileSlug: "note", title: `Imported ${at}` }))
    const lines = rows.map((row) => JSON.stringify(row)).join("\n")
    await withFile("notes.ndjson", `${lines}\n\n`, async (path) => {
      const key = await examples.aSecret(["hub-protocol.write"], ["entity.note"])
      for (let run = 0; run < 2; run++) {
        assert.deepStrictEqual(JSON.parse(await examples.outputOf("importRecords.mjs", { POD_API_KEY: key }, [path])), {
          created: 9
        })
      }
      assert.lengthOf(
        (await examples.noteTitles()).filter((title) => title.startsWith("Imported")),
        9
      )
    })
  })

  it("the example `importMemories` stores texts as facts with their times, and a second run adds nothing", async () => {
    const exported = {
      results: [
        { id: "m2", memory: "The office moved to Hamburg.", created_at: "2025-02-03T10:00:00-08:00", metadata: null },
        { id: "m1", memory: "Ana prefers tea.", created_at: "2024-01-01T00:00:00Z" },
        { id: "m3" }
      ]
    }
    await withFile("memories.json", JSON.stringify(exported), async (path) => {
      const person = await pod.aPerson()
      const { secret } = await pod.aKey(person, { scope: ["hub-protocol.write"], grant: { permissions: ["memory"] } })
      for (let run = 0; run < 2; run++) {
        const output = await examples.outputOf("importMemories.mjs", { POD_API_KEY: secret }, [path])
        assert.strictEqual(output.trim(), "remembered 2 of 3")
      }
      const { body } = await person.send("GET", "/api/hub/memory")
      assert.deepStrictEqual(
        body.map(({ fact, saidAt, trust }: Readonly<Record<string, string>>) => [fact, saidAt, trust]).sort(),
        [
          ["Ana prefers tea.", "2024-01-01T00:00:00.000Z", "import"],
          ["The office moved to Hamburg.", "2025-02-03T18:00:00.000Z", "import"]
        ]
      )
    })
  })

  it("the example `approveFromChat` sends a signed link for each proposal to the chat, and decides only when a person presses a button on the linked page", async () => {
    const chatMessages: Array<string> = []
    let hear: (text: string) => void = () => undefined
    const chat = createServer(async (request, response) => {
      const body = await text(request)
      chatMessages.push(JSON.parse(body).text)
      hear(body)
      response.end()
    }).listen(0, "127.0.0.1")
    await once(chat, "listening")
    const chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`
    const key = await examples.aSecret(both, ["proposal", "entity.note"])
    const probe = createServer().listen(0, "127.0.0.1")
    await once(probe, "listening")
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    const url = `http://127.0.0.1:${port}`
    const made = await pod.owner.mutate("webhooks.create", {
      name: "chat",
      url: `${url}/webhook`,
      eventTypes: ["proposal.create"]
    })
    const child = examples.launch("approveFromChat.mjs", {
      PORT: String(port),
      POD_API_KEY: key,
      CHAT_WEBHOOK_URL: chatUrl,
      WEBHOOK_SECRET: made.body.result.data.secret
    })
    await examples.lineOf(child, /^listening/)
    const agentKey = await examples.anAgentKey()
    /**
     * Lets the agent propose a note. Returns the id of the proposal, and the link in the message that the chat gets.
     */
    const linkFor = async (title: string) => {
      const heard = new Promise<string>((resolve) => (hear = resolve))
      const response = await fetch(`${pod.baseUrl}/api/hub/entities`, {
        method: "POST",
        headers: { authorization: `Bearer ${agentKey}`, "content-type": "application/json" },
        body: JSON.stringify({ profileSlug: "note", title, reasoning: "It rains in." })
      })
      const { proposalId } = (await response.json()) as { readonly proposalId: string }
      const link = /Decide: (\S+)"/.exec(await heard)?.[1] ?? ""
      return { link, proposalId }
    }
    const statusOf = async (id: string) => (await pod.owner.send("GET", `/api/hub/proposals/${id}`)).body.status
    const press = (link: string, deed: string) => fetch(link, { method: "POST", body: new URLSearchParams({ deed }) })

    const first = await linkFor("Buy slates")
    assert.include(chatMessages[0], "Buy slates")
    assert.include(chatMessages[0], "It rains in.")
    assert.include(first.link, `${url}/${first.proposalId}/`)
    assert.strictEqual((await fetch(`${url}/webhook`, { method: "POST", body: "{}" })).status, 401)
    assert.strictEqual(
      (
        await press(
          first.link.replace(/.$/, (end) => (end === "0" ? "1" : "0")),
          "approve"
        )
      ).status,
      404
    )
    // A chat program requests the link to show a preview. This request must not decide on the proposal.
    assert.strictEqual((await fetch(first.link)).status, 200)
    assert.strictEqual(await statusOf(first.proposalId), "pending")
    assert.strictEqual((await press(first.link, "approve")).status, 200)
    assert.strictEqual(await statusOf(first.proposalId), "approved")
    assert.include(await examples.noteTitles(), "Buy slates")

    const second = await linkFor("Buy gold")
    assert.strictEqual((await press(second.link, "reject")).status, 200)
    assert.strictEqual(await statusOf(second.proposalId), "rejected")
    assert.strictEqual((await press(second.link, "approve")).status, 409)
    assert.notInclude(await examples.noteTitles(), "Buy gold")

    const third = await linkFor("Buy nails")
    const edited = await pod.owner.send("PATCH", `/api/hub/proposals/${third.proposalId}`, {
      expectedRevision: 1,
      data: { title: "Buy screws" }
    })
    assert.strictEqual(edited.status, 200, JSON.stringify(edited.body))
    assert.strictEqual((await press(third.link, "approve")).status, 409)
    assert.strictEqual(await statusOf(third.proposalId), "pending")
    child.kill("SIGKILL")
    chat.close()
  })
})
