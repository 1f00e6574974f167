/**
 * Clients that ask for the strict form of tool schemas with `/mcp?schemas=strict`, as the strict mode of OpenAI needs
 * it: refusals, the schemas, and calls of every tool with real MCP clients.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import type { ToolOperation } from "../../src/doors/Operation.ts"
import { inputSchemaOf } from "../../src/surfaces/McpSchemas.ts"
import { strictFormOf } from "../../src/surfaces/McpStrictForm.ts"
import { sampleFor } from "../doors/samples.ts"
import type { Approach } from "../doors/surfaces.ts"
import { anthropicFaults, openAiStrictFaults, ownFaults } from "../support/modelSchemas.ts"
import { inStrictForm } from "../support/strictArguments.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { ask, legacyCall } from "./mcpFixture.ts"
import { mcpClients } from "./realMcpClients.ts"
import { makeToolInputs, type ToolInputs } from "./toolInputs.ts"

type Node = Readonly<Record<string, unknown>>

let pod: TestPod
let inputs: ToolInputs
let key: Caller
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  inputs = await makeToolInputs(pod)
  key = inputs.key
})
afterAll(() => pod?.stop())

const ordinaryClients = mcpClients(() => pod)
const strictClients = mcpClients(() => pod, "?schemas=strict")

const toolOf = ({ operation }: Approach) => operation as ToolOperation

/** Returns an answer without its times, ids, hashes and counts of writes, which differ between two calls. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "a time")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "an id")
      .replaceAll(/[0-9a-f]{64}/g, "a hash")
      .replaceAll(/"(version|count)":\d+/g, '"$1":0')
  )

/** Calls a tool in the strict form. `args`: the arguments in the ordinary form. */
const callStrictly = async (name: string, args: Node) => {
  const client = await strictClients["SDK v2"](key)
  const { tools } = await client.listTools()
  const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {}
  const answer = await client.callTool({ name, arguments: inStrictForm(schema, args) as Record<string, unknown> })
  await client.close()
  return answer
}

/** Calls a tool at the strict address, with exactly these arguments. Returns the lines of the refusal. */
const refusedStrictly = async (name: string, args: Node): Promise<ReadonlyArray<string>> => {
  const client = await strictClients["SDK v2"](key)
  const { content, isError } = await client.callTool({ name, arguments: args })
  await client.close()
  assert.isTrue(isError, JSON.stringify(content))
  return (content as ReadonlyArray<{ readonly text: string }>).map(({ text }) => text)
}

const aNote = async (description: string): Promise<string> => {
  const made = await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title: "Kept", description })
  return made.body.id as string
}
const readNote = async (id: string) => (await pod.owner.send("GET", `/api/hub/entities/${id}`)).body

describe("refusals of tool calls with `schemas=strict`", () => {
  it("the MCP endpoint refuses a request that asks for an unknown form of schemas", async () => {
    for (const query of ["?schemas=", "?schemas=loose", "?schemas=strict&schemas=loose"]) {
      const { first, status } = await ask(`${pod.baseUrl}/mcp`, {
        query,
        headers: key.headers,
        body: legacyCall("svc_list_profiles")
      })
      assert.strictEqual(status, 400, query)
      assert.include(first?.error?.message, "`schemas`")
    }
  })

  it("with `schemas=strict` the first line of a refusal names the argument whose text is not the JSON text of an object, and the fault", async () => {
    const note = { title: "Broken", profileSlug: "note" }
    const tooMany = `{"all":[${"0,".repeat(50_001)}0]}`
    for (const [properties, fault] of [
      ["{due: tomorrow}", "is not valid JSON"],
      ["", "is not valid JSON"],
      ["[1]", "is the text of another value"],
      ["null", "is the text of another value"],
      [`{"all":${"[".repeat(70)}${"]".repeat(70)}}`, "levels of nesting"],
      [tooMany, "values and names"],
      [String.raw`{"text":"\u0000"}`, "NUL character"],
      ['{"__proto__":{}}', "is not allowed as the name of a property"],
      ['{"count":1e999}', "too large to store"]
    ] as const) {
      const [first] = await refusedStrictly("svc_create_entity", { ...note, properties })
      assert.match(first, /^properties.*: /, first)
      assert.include(first, fault)
    }
    const [nested] = await refusedStrictly("svc_create_entity", {
      ...note,
      facets: [{ slug: "client", properties: "{" }]
    })
    assert.match(nested, /^facets\.0\.properties: must be the JSON text of an object/)
    const halves = { properties: `{"all":[${"0,".repeat(30_000)}0]}` }
    const [together] = await refusedStrictly("svc_create_entity", {
      ...note,
      facets: [
        { slug: "one", ...halves },
        { slug: "two", ...halves }
      ]
    })
    assert.match(together, /^facets\.1\.properties: has more than 50000 values/)
  })

  it("a call with `schemas=strict` needs the same permissions as an ordinary call, and the pod checks its arguments in the same way", async () => {
    const reader = await pod.aKey(pod.owner, { scope: ["mcp.read"] })
    const client = await strictClients["SDK v2"](reader)
    const { content, isError } = await client.callTool({
      name: "svc_create_entity",
      arguments: { title: "No", profileSlug: "note", properties: "{" }
    })
    await client.close()
    assert.isTrue(isError)
    // The door refuses the call before the pod reads the arguments.
    assert.include(JSON.stringify(content), "mcp.write")
    const [first] = await refusedStrictly("svc_create_entity", { title: null, profileSlug: "note", properties: "{}" })
    assert.include(first, "title")
    const [unknown] = await refusedStrictly("svc_get_entities", { colour: null })
    assert.include(unknown, "colour")
  })

  it("without `schemas=strict`, a tool refuses JSON text in place of an object, and `null` clears a field", async () => {
    const client = await ordinaryClients["SDK v2"](key)
    const text = await client.callTool({
      name: "svc_create_entity",
      arguments: { title: "Text", profileSlug: "note", properties: "{}" }
    })
    assert.isTrue(text.isError)
    const entityId = await aNote("words")
    await client.callTool({ name: "svc_update_entity", arguments: { entityId, description: null } })
    assert.isNull((await readNote(entityId)).description)
    await client.close()
  })

  it("the check of tool schemas for the strict mode of OpenAI reports optional arguments, defaults, lengths and objects that accept fields of any name", () => {
    const properties = {
      id: { type: "string" },
      title: { type: "string", maxLength: 9, default: "none" },
      free: { type: "object", additionalProperties: true },
      any: { description: "Anything." }
    }
    const inputSchema = { type: "object", required: ["id"], properties, additionalProperties: false }
    assert.sameMembers(
      [...openAiStrictFaults({ name: "svc_test", inputSchema })],
      [
        "input.title is not required",
        "input.free is not required",
        "input.any is not required",
        "input.title: maxLength is not known",
        "input.title: default is not known",
        "input.free takes free fields",
        "input.any has no type"
      ]
    )
  })
})

describe("tools with `schemas=strict`", () => {
  for (const [whose, faultsOf] of Object.entries({
    "the strict mode of OpenAI": openAiStrictFaults,
    Anthropic: anthropicFaults,
    "the pod itself": ownFaults
  })) {
    it(`with schemas=strict every tool follows the tool rules of ${whose}`, async () => {
      const client = await strictClients["SDK v2"](key)
      const { tools } = await client.listTools()
      await client.close()
      assert.strictEqual(tools.length, inputs.tools.length)
      assert.deepStrictEqual(
        tools.flatMap((tool) => faultsOf(tool).map((one) => `${tool.name} ${one}`)),
        []
      )
    })
  }

  it("with `schemas=strict` the schema of a tool describes what `null` means for an optional argument, and names the default value", async () => {
    const client = await strictClients["SDK v2"](key)
    const { tools } = await client.listTools()
    await client.close()
    const argument = (tool: string, name: string) =>
      (tools.find((one) => one.name === tool)?.inputSchema.properties as Record<string, Node> | undefined)?.[name]
    assert.deepStrictEqual(argument("svc_get_entities", "limit")?.["anyOf"], [
      { type: "integer", description: "The largest number of entities to list.", minimum: 1, maximum: 1000 },
      { type: "null", description: "Not given; the pod uses 50." }
    ])
    assert.deepStrictEqual(argument("svc_revise_proposal", "data"), {
      type: "string",
      description:
        'The whole new content, which replaces the whole old content. Send the JSON text of an object, for example `{"name":"value"}`.'
    })
    assert.deepStrictEqual(argument("svc_update_session", "progress")?.["anyOf"], [
      {
        type: "object",
        description: "An object whose field `value` has the new value.",
        properties: {
          value: {
            anyOf: [
              { type: "number", minimum: 0, maximum: 100, description: "The progress in percent, from 0 to 100." },
              { type: "null", description: "Removes the progress." }
            ]
          }
        },
        required: ["value"],
        additionalProperties: false
      },
      { type: "null", description: "Not given." }
    ])
  })

  it("an input of any tool that is converted for `schemas=strict` fits the strict schema, and the pod reads the original input from it", () => {
    const validator = new AjvJsonSchemaValidator()
    for (const way of inputs.tools) {
      const tool = toolOf(way)
      const { read, schema } = strictFormOf(inputSchemaOf(tool))
      for (const extent of ["everything", "the least"] as const) {
        // A sample can have `undefined` in a free object, which JSON does not have.
        const ordinary: unknown = JSON.parse(JSON.stringify(sampleFor(way, {}, extent)))
        const strict = inStrictForm(schema, ordinary) as Node
        const { errorMessage, valid } = validator.getValidator(schema)(strict)
        assert.isTrue(valid, `${tool.name}: ${errorMessage} ${JSON.stringify(strict)}`)
        const decoded = Either.getOrThrow(tool.decode(ordinary))
        assert.deepStrictEqual(tool.decode(Either.getOrThrow(read(strict))), Either.right(decoded), tool.name)
      }
    }
  })

  for (const [name, connect] of Object.entries(strictClients)) {
    it(`with ${name}, every tool gives the same answer to a call with schemas=strict as to the same ordinary call`, async () => {
      const [strict, ordinary] = [await connect(key), await ordinaryClients["SDK v2"](key)]
      const schemas = new Map((await strict.listTools()).tools.map((tool) => [tool.name, tool.inputSchema]))
      const ordinarySchemas = new Map((await ordinary.listTools()).tools.map((tool) => [tool.name, tool.inputSchema]))
      for (const way of inputs.tools) {
        const { name: tool } = way.operation
        const required = ordinarySchemas.get(tool)?.required ?? []
        const [one, other] = [await inputs.leastInput(way, required), await inputs.leastInput(way, required)]
        const expected = await ordinary.callTool({ name: tool, arguments: one })
        const args = inStrictForm(schemas.get(tool) ?? {}, other) as Record<string, unknown>
        const answer = await strict.callTool({ name: tool, arguments: args })
        assert.isUndefined(answer.isError, `${tool}: ${JSON.stringify(answer.content)}`)
        assert.deepStrictEqual(comparable(answer.structuredContent), comparable(expected.structuredContent), tool)
      }
      await Promise.all([strict.close(), ordinary.close()])
    })
  }

  it("with `schemas=strict` a tool stores the objects that a call contains as JSON text, also inside lists", async () => {
    const role = { slug: "supplier", displayName: "Supplier", profileKind: "role", applicableKinds: ["note"] }
    const profile = await pod.owner.send("POST", "/api/hub/profiles", role)
    assert.strictEqual(profile.status, 200, JSON.stringify(profile.body))
    const properties = { due: null, size: 2, parts: [{ name: "roof" }] }
    const made = await callStrictly("svc_create_entity", {
      title: "Strict",
      profileSlug: "note",
      properties,
      facets: [{ slug: "supplier", properties: { since: "2020" } }]
    })
    assert.isUndefined(made.isError, JSON.stringify(made.content))
    const { id } = made.structuredContent as { readonly id: string }
    const kept = await readNote(id)
    assert.deepInclude(kept.properties, properties)
    const [facet] = (await pod.owner.send("GET", `/api/hub/entities/${id}/facets`)).body
    assert.deepInclude(facet, { slug: "supplier", properties: { since: "2020" } })
    await callStrictly("svc_update_entity", { entityId: id, metadata: { size: 3 } })
    assert.strictEqual((await readNote(id)).properties.size, 3)
  })

  it("with `schemas=strict`, `null` leaves a field as it is, and an object with `value` changes or clears the field", async () => {
    const entityId = await aNote("words")
    await callStrictly("svc_update_entity", { entityId, title: "New" })
    assert.deepInclude(await readNote(entityId), { title: "New", description: "words" })
    await callStrictly("svc_update_entity", { entityId, description: "other words" })
    assert.strictEqual((await readNote(entityId)).description, "other words")
    await callStrictly("svc_update_entity", { entityId, description: null })
    assert.isNull((await readNote(entityId)).description)
  })
})
