/**
 * Lists and calls every tool with real MCP clients, checks the answers against the descriptions, and the schemas
 * against the rules of model providers.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Approach } from "../doors/surfaces.ts"
import { anthropicFaults, geminiFaults, openAiFaults, ownFaults } from "../support/modelSchemas.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { mcpClients } from "./realMcpClients.ts"
import { makeToolInputs, type ToolInputs } from "./toolInputs.ts"

let pod: TestPod
let inputs: ToolInputs
let tools: ToolInputs["tools"]
let key: Caller
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  inputs = await makeToolInputs(pod)
  tools = inputs.tools
  key = inputs.key
})
afterAll(() => pod?.stop())

const clients = mcpClients(() => pod)

/** Returns the least input of a tool: its required arguments, with ids of existing records. */
const leastInput = (way: Approach): Promise<Record<string, unknown>> => {
  const { required = [] } = (listed.get(way.operation.name)?.inputSchema ?? {}) as { required?: ReadonlyArray<string> }
  return inputs.leastInput(way, required)
}

type Listed = { readonly name: string; readonly description?: string | undefined; readonly inputSchema: object }
let listed: ReadonlyMap<string, Listed> = new Map()

for (const [name, connect] of Object.entries(clients)) {
  describe(name, () => {
    it("an MCP client can call every listed tool and accepts the answer of each tool", async () => {
      const client = await connect(key)
      const { tools: all } = await client.listTools()
      listed = new Map(all.map((tool) => [tool.name, tool]))
      assert.sameMembers(
        all.map((tool) => tool.name),
        tools.map(({ operation }) => operation.name)
      )
      const refused: Array<string> = []
      for (const way of tools) {
        const request = { name: way.operation.name, arguments: await leastInput(way) }
        try {
          const { content, isError, structuredContent } = await client.callTool(request)
          if (isError === true || structuredContent === undefined) {
            refused.push(`${request.name} ${JSON.stringify(request.arguments)}: ${JSON.stringify(content)}`)
          }
        } catch (error) {
          refused.push(`${request.name}: ${String(error)}`)
        }
      }
      assert.deepStrictEqual(refused, [])
      await client.close()
    })

    it("every schema of an MCP tool has an object at its root and contains neither `$ref` nor `$defs`", async () => {
      const client = await connect(key)
      for (const tool of (await client.listTools()).tools) {
        for (const schema of [tool.inputSchema, tool.outputSchema]) {
          assert.strictEqual(schema?.type, "object", tool.name)
          assert.notInclude(JSON.stringify(schema), "$ref", tool.name)
          assert.notInclude(JSON.stringify(schema), "$defs", tool.name)
        }
      }
      await client.close()
    })
  })
}

describe("the tool interfaces of model providers", () => {
  for (const [whose, faultsOf] of Object.entries({
    "the pod itself": ownFaults,
    OpenAI: openAiFaults,
    Gemini: geminiFaults,
    Anthropic: anthropicFaults
  })) {
    it(`every tool of the pod follows the tool rules of ${whose}`, async () => {
      const client = await clients["SDK v2"](key)
      const found = (await client.listTools()).tools.flatMap((tool) =>
        faultsOf(tool).map((one) => `${tool.name} ${one}`)
      )
      await client.close()
      assert.deepStrictEqual(found, [])
    })
  }

  it("the schema of an MCP tool describes the default value that the pod uses for a missing argument", async () => {
    const client = await clients["SDK v2"](key)
    const all = (await client.listTools()).tools
    await client.close()
    const defaultsOf = (name: string) => {
      const { properties = {} } = all.find((tool) => tool.name === name)?.inputSchema ?? {}
      return Object.fromEntries(
        Object.entries(properties as Record<string, { readonly default?: unknown }>)
          .filter(([, one]) => "default" in one)
          .map(([argument, one]) => [argument, one.default])
      )
    }
    assert.deepStrictEqual(defaultsOf("svc_get_entities"), { limit: 50, detail: "lean" })
    assert.deepStrictEqual(defaultsOf("svc_link_entities"), { type: "relates_to" })
    assert.deepStrictEqual(defaultsOf("svc_list_proposals"), { status: "pending", view: "full", limit: 20, offset: 0 })
  })

  it("an MCP client clears the description of an entity with the argument `null`", async () => {
    const client = await clients["SDK v2"](key)
    await client.listTools()
    const made = await client.callTool({
      name: "svc_create_entity",
      arguments: { title: "Told", profileSlug: "note", description: "words" }
    })
    const entityId = (made.structuredContent as { readonly id: string }).id
    const changed = await client.callTool({ name: "svc_update_entity", arguments: { entityId, description: null } })
    assert.isNull((changed.structuredContent as { readonly description: unknown }).description)
    await client.close()
  })
})

/** Adds null for every optional argument that `args` does not contain. */
const withNulls = (tool: Listed, args: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { properties = {} } = tool.inputSchema as { readonly properties?: Readonly<Record<string, object>> }
  return { ...Object.fromEntries(Object.keys(properties).map((name) => [name, null])), ...args }
}

/** Returns an answer without the times, which differ between two calls. */
const comparable = (answer: unknown) => JSON.stringify(answer).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")

describe("a client that sends `null` for every argument that the model leaves out", () => {
  it("a tool refuses `null` for a required argument", async () => {
    const client = await clients["SDK v2"](key)
    const accepted: Array<string> = []
    for (const way of tools) {
      const tool = listed.get(way.operation.name)!
      const { required = [] } = tool.inputSchema as { readonly required?: ReadonlyArray<string> }
      for (const name of required) {
        const { content, isError } = await client.callTool({
          name: tool.name,
          arguments: { ...(await leastInput(way)), [name]: null }
        })
        const sentence = JSON.stringify(content)
        if (isError !== true || !sentence.includes(`\\"path\\":\\"${name}\\"`))
          accepted.push(`${tool.name} ${name}: ${sentence}`)
      }
    }
    await client.close()
    assert.deepStrictEqual(accepted, [])
  })

  it("a tool refuses an unknown argument, even if the value of the argument is `null`", async () => {
    const client = await clients["SDK v2"](key)
    const { isError } = await client.callTool({ name: "svc_get_entities", arguments: { colour: null } })
    await client.close()
    assert.isTrue(isError)
  })

  for (const [name, connect] of Object.entries(clients)) {
    it(`with ${name}, every read tool gives the same answer whether its optional arguments are \`null\` or missing`, async () => {
      const client = await connect(key)
      const different: Array<string> = []
      const reads = tools.filter(({ operation }) => operation.kind === "query")
      assert.isAbove(reads.length, 15)
      for (const way of reads) {
        const tool = listed.get(way.operation.name)!
        const args = await leastInput(way)
        const plain = await client.callTool({ name: tool.name, arguments: args })
        const strict = await client.callTool({ name: tool.name, arguments: withNulls(tool, args) })
        assert.isUndefined(plain.isError, JSON.stringify(plain.content))
        if (strict.isError === true || comparable(strict.structuredContent) !== comparable(plain.structuredContent)) {
          different.push(`${tool.name}: ${JSON.stringify(strict.content)}`)
        }
      }
      await client.close()
      assert.deepStrictEqual(different, [])
    })
  }

  it("a tool that writes treats `null` for an optional argument as a missing argument, also inside lists of objects", async () => {
    const client = await clients["SDK v2"](key)
    const written = async (tool: string, args: Readonly<Record<string, unknown>>) => {
      const { content, isError, structuredContent } = await client.callTool({
        name: tool,
        arguments: withNulls(listed.get(tool)!, args)
      })
      assert.isUndefined(isError, JSON.stringify(content))
      return structuredContent as Readonly<Record<string, unknown>>
    }
    const session = await written("svc_start_session", {
      goal: "Ship",
      expectedOutputs: [{ kind: "document", label: "Plan", icon: null }]
    })
    assert.deepStrictEqual(session["expectedOutputs"], [{ kind: "document", label: "Plan" }])
    assert.deepStrictEqual([session["agentIds"], session["workspaceId"]], [[], null])
    const made = await written("svc_create_entity", {
      title: "Strict",
      profileSlug: "note",
      properties: { due: null },
      description: "words"
    })
    const kept = (await pod.owner.send("GET", `/api/hub/entities/${String(made["id"])}`)).body
    assert.deepStrictEqual([kept.description, kept.properties.due], ["words", null])
    await client.close()
  })
})
