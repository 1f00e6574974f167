/**
 * MCP resources and prompts: a key reads exactly the records that its grant covers, in both protocol versions (2025 and
 * 2026).
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { mcpClients } from "./realMcpClients.ts"

onOneStorage("the resources and prompts of a key", (storage) => {
  let pod: TestPod
  let key: Caller
  let stranger: Caller
  const ids: Record<"entity" | "document" | "project", string> = { entity: "", document: "", project: "" }

  type Name = keyof ReturnType<typeof mcpClients>
  const through = async <A>(
    caller: Caller,
    use: (client: Awaited<ReturnType<ReturnType<typeof mcpClients>["SDK v2"]>>) => Promise<A>,
    name: Exclude<Name, "SDK v1"> = "SDK v2"
  ): Promise<A> => {
    const client = await mcpClients(() => pod)[name](caller)
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  }
  const failed = async (work: Promise<unknown>): Promise<string> => {
    try {
      return `answered ${JSON.stringify(await work)}`
    } catch (error) {
      return String(error)
    }
  }
  const allOf = (caller: Caller) =>
    through(caller, async (client) => {
      const uris: Array<string> = []
      let cursor: string | undefined
      for (let pages = 0; pages < 20; pages++) {
        const page = await client.listResources(cursor === undefined ? {} : { cursor })
        uris.push(...page.resources.map(({ uri }) => uri))
        cursor = page.nextCursor
        if (cursor === undefined) return uris
      }
      return assert.fail("the list has no end")
    })

  beforeAll(async () => {
    pod = await aPod(storage)
    const made = async (path: string, body: object) => {
      const answer = await pod.owner.send("POST", `/api/hub${path}`, body)
      assert.include([200, 201], answer.status, JSON.stringify(answer.body))
      return answer.body.id as string
    }
    ids.project = await made("/projects", { name: "Roof" })
    ids.entity = await made("/entities", { title: "Red tiles", projectId: ids.project })
    ids.document = await made("/documents", { title: "Plan", content: "# Mend the roof" })
    for (let n = 0; n < 60; n++) await made("/entities", { title: `Tile ${n}` })
    key = await pod.aKey(pod.owner)
    stranger = await pod.aKey(await pod.aPerson())
  })
  afterAll(() => pod?.stop())

  for (const name of ["SDK v2", "SDK v2 with the newest protocol"] as const) {
    it(`the MCP client ${name} can read an entity, a document and a project by their URIs`, () =>
      through(
        key,
        async (client) => {
          const read = async (uri: string) => {
            const [found] = (await client.readResource({ uri })).contents
            assert.isTrue(found !== undefined && "text" in found, uri)
            return found as { readonly text: string; readonly mimeType?: string }
          }
          assert.strictEqual(JSON.parse((await read(`pod://entities/${ids.entity}`)).text).title, "Red tiles")
          const plan = await read(`pod://documents/${ids.document}`)
          assert.deepInclude(plan, { mimeType: "text/markdown", text: "# Mend the roof" })
          assert.strictEqual(JSON.parse((await read(`pod://projects/${ids.project}`)).text).project.name, "Roof")
          const { resourceTemplates } = await client.listResourceTemplates()
          assert.sameMembers(
            resourceTemplates.map(({ uriTemplate }) => uriTemplate),
            ["pod://entities/{id}", "pod://documents/{id}", "pod://projects/{id}"]
          )
        },
        name
      ))
  }

  it("the list of MCP resources contains every record once, over several pages", async () => {
    const uris = await allOf(key)
    assert.lengthOf(new Set(uris), uris.length)
    assert.lengthOf(uris, 63)
    assert.includeMembers(uris, [
      `pod://entities/${ids.entity}`,
      `pod://documents/${ids.document}`,
      `pod://projects/${ids.project}`
    ])
  })

  it("a person without access gets no MCP resources in lists and completions, and reads of a hidden and of a missing record get the same answer", async () => {
    assert.deepStrictEqual(await allOf(stranger), [])
    await through(stranger, async (client) => {
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "pod://entities/{id}" },
        argument: { name: "id", value: "" }
      })
      assert.deepStrictEqual(completion.values, [])
      const missing = "01890000-0000-7000-8000-000000000000"
      for (const [kind, id] of Object.entries({
        entities: ids.entity,
        documents: ids.document,
        projects: ids.project
      })) {
        const hidden = await failed(client.readResource({ uri: `pod://${kind}/${id}` }))
        assert.include(hidden, "Resource not found")
        assert.strictEqual(hidden, await failed(client.readResource({ uri: `pod://${kind}/${missing}` })))
      }
      assert.notInclude(
        await failed(client.getPrompt({ name: "brief_project", arguments: { projectId: ids.project } })),
        "Roof"
      )
    })
  })

  it("a key with only the permission `document.read` can read a document by its MCP URI, but gets an empty list of resources", async () => {
    const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["document.read"] } })
    assert.deepStrictEqual(await allOf(narrow), [])
    await through(narrow, async (client) => {
      const { contents } = await client.readResource({ uri: `pod://documents/${ids.document}` })
      assert.deepInclude(contents[0], { text: "# Mend the roof" })
      const { completion } = await client.complete({
        ref: { type: "ref/resource", uri: "pod://documents/{id}" },
        argument: { name: "id", value: "" }
      })
      assert.deepStrictEqual(completion.values, [])
      assert.include(await failed(client.readResource({ uri: `pod://projects/${ids.project}` })), "not found")
    })
  })

  it("a key with a tool profile gets an MCP resource only if the tool that reads such records is in the profile", async () => {
    const entry = await pod.aKey(pod.owner, { toolProfile: "entry" })
    assert.deepStrictEqual(await allOf(entry), [])
    await through(entry, async (client) => {
      assert.deepStrictEqual((await client.listResourceTemplates()).resourceTemplates, [])
      assert.include(await failed(client.readResource({ uri: `pod://entities/${ids.entity}` })), "profile")
      assert.deepStrictEqual(
        (await client.listPrompts()).prompts.map(({ name }) => name),
        ["weekly_digest"]
      )
    })
  })

  it("MCP completes the id of a record from the beginning of the id or from words of the title", () =>
    through(key, async (client) => {
      const complete = async (value: string) =>
        (
          await client.complete({
            ref: { type: "ref/prompt", name: "brief_project" },
            argument: { name: "projectId", value }
          })
        ).completion.values
      assert.deepStrictEqual(await complete("roo"), [ids.project])
      assert.deepStrictEqual(await complete(ids.project.slice(0, 20)), [ids.project])
      assert.deepStrictEqual(await complete("nothing like it"), [])
    }))

  it("MCP says that there might be more completions only if it has not searched the older records", async () => {
    const person = await pod.aPerson()
    const theirs = await pod.aKey(person)
    const completed = () =>
      through(theirs, async (client) => {
        const ref = { type: "ref/resource", uri: "pod://entities/{id}" } as const
        return (await client.complete({ ref, argument: { name: "id", value: "Oldest" } })).completion
      })
    const { id } = (await person.send("POST", "/api/hub/entities", { title: "Oldest" })).body
    const { hasMore, values } = await completed()
    assert.deepStrictEqual([values, hasMore], [[id], false])
    for (let n = 0; n < 100; n++) await person.send("POST", "/api/hub/entities", { title: `Newer ${n}` })
    const later = await completed()
    assert.deepStrictEqual([later.values, later.hasMore], [[], true])
  })

  it("MCP answers with a protocol error if a request contains an invalid cursor, an unknown URI, an invalid id or an unknown prompt", () =>
    through(key, async (client) => {
      const cursors = ["x", "e30", Buffer.from('{"kind":9}').toString("base64url"), "W10"]
      for (const cursor of cursors) assert.include(await failed(client.listResources({ cursor })), "cursor")
      for (const uri of ["pod://secrets/1", "pod://entities/nope", "file:///etc/passwd", "pod://entities/../keys"]) {
        assert.include(await failed(client.readResource({ uri })), "Resource not found", uri)
      }
      assert.include(await failed(client.getPrompt({ name: "nope" })), "not found")
      assert.include(await failed(client.getPrompt({ name: "brief_project" })), "projectId")
      assert.include(await failed(client.getPrompt({ name: "review_waiting", arguments: { x: "1" } })), "no argument")
    }))

  it("the text of an MCP prompt contains the records for which the prompt was requested", () =>
    through(key, async (client) => {
      const { prompts } = await client.listPrompts()
      assert.sameMembers(
        prompts.map(({ name }) => name),
        ["brief_project", "review_waiting", "weekly_digest"]
      )
      const textOf = async (name: string, args: Record<string, string> = {}) => {
        const { messages } = await client.getPrompt({ name, arguments: args })
        return (messages[0].content as { readonly text: string }).text
      }
      assert.include(await textOf("brief_project", { projectId: ids.project }), "Red tiles")
      assert.include(await textOf("weekly_digest"), "Tile 59")
      const agent = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.create"] })
      const agentKey = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
      await through(agentKey, (other) =>
        other.callTool({ name: "svc_capture", arguments: { content: "Order more tiles" } })
      )
      assert.include(await textOf("review_waiting"), "Order more tiles")
    }))

  it("an MCP message about resources or prompts counts once against the rate limit for each tool call that it makes", async () => {
    const send = (by: Caller, method: string, params: object) =>
      by.send(
        "POST",
        "/mcp",
        { jsonrpc: "2.0", id: 1, method, params },
        { accept: "application/json, text/event-stream" }
      )
    const remaining = ({ headers }: { readonly headers: Headers }) => Number(headers.get("ratelimit-remaining"))
    for (const [by, method, params, calls] of [
      [key, "resources/read", { uri: `pod://projects/${ids.project}` }, 1],
      [key, "resources/list", {}, 1],
      // A caller without records: the page asks for entities, documents and projects.
      [stranger, "resources/list", {}, 3],
      [key, "prompts/get", { name: "review_waiting" }, 1],
      [key, "prompts/get", { name: "brief_project", arguments: { projectId: ids.project } }, 3],
      [key, "prompts/get", { name: "weekly_digest" }, 3]
    ] as const) {
      const before = remaining(await by.send("GET", "/api/hub/users/me"))
      const answer = await send(by, method, params)
      assert.deepStrictEqual([answer.status, remaining(answer)], [200, before - calls], `${method} ${calls}`)
    }
  })

  it("after a key is revoked, it can read no MCP resource", async () => {
    const dying = await pod.aKey(pod.owner)
    await through(dying, async (client) => {
      await client.readResource({ uri: `pod://entities/${ids.entity}` })
      await pod.owner.mutate("apiKeys.revoke", { keyId: dying.id })
      const after = await failed(client.readResource({ uri: `pod://entities/${ids.entity}` }))
      assert.notInclude(after, "Red tiles")
    })
  })
})
