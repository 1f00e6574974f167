/**
 * Compares the catalog of procedures and MCP tools with a running pod: it must list everything that the pod serves, in
 * the same form.
 */
import { assert, describe, it } from "@effect/vitest"
import { JSONSchema, Schema } from "effect"
import { request } from "node:http"
import { brotliDecompressSync } from "node:zlib"
import { afterAll, beforeAll } from "vitest"
import { describeCatalog } from "../../src/Description.ts"
import { NoInput } from "../../src/doors/DeclareProcedure.ts"
import { signedIn } from "../../src/doors/Door.ts"
import { Procedures } from "../../src/Procedures.ts"
import { type CatalogEntry, catalogDocument } from "../../src/surfaces/CatalogDocument.ts"
import { Tools } from "../../src/Tools.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const at = "/docs/catalog.json"

describe("the catalog of procedures and MCP tools", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  const served = async (): Promise<ReadonlyArray<CatalogEntry>> => {
    const { body, status } = await pod.stranger.send("GET", at)
    assert.strictEqual(status, 200)
    return body.operations
  }

  it("every caller can read the catalog, and the catalog lists every procedure and every tool once", async () => {
    const names = (await served()).map(({ name }) => name)
    assert.deepStrictEqual(names, [...Procedures.requests.keys(), ...Tools.map(({ name }) => name)])
    assert.lengthOf(new Set(names), names.length)
  })

  it("each entry of the catalog has a group, a summary in one line, an access rule and the credentials that it accepts", async () => {
    const { body } = await pod.stranger.send("GET", at)
    const groups = body.groups.map(({ name }: { name: string }) => name)
    for (const entry of await served()) {
      assert.include(groups, entry.group)
      assert.match(entry.summary, /^\S[^\n]{10,}$/, entry.name)
      assert.isAbove(entry.door.length, 10, entry.name)
      assert.isNotEmpty(entry.credentials, entry.name)
    }
  })

  it("no tool has a description of more than 60 words, because a model reads the descriptions of all tools at each call", () => {
    const words = (text: string) => text.split(/\s+/).length
    const long = Tools.filter(({ declared }) => words(declared.summary) > 60).map(({ name }) => name)
    assert.deepStrictEqual(long, [])
  })

  it("each procedure is a query or a mutation as the catalog says, below `/trpc` if the procedure accepts sessions, and otherwise below `/api/hub/trpc`", async () => {
    for (const { credentials, kind, name } of await served()) {
      if (kind === "tool") continue
      const base = credentials.includes("session") ? "/trpc" : "/api/hub/trpc"
      // The pod refuses callers without a credential before it looks at the name of the procedure, so the owner calls.
      const caller = base === "/trpc" ? pod.owner : await pod.aKey(pod.owner)
      // A query also accepts POST, so only GET shows whether the procedure is a query or a mutation.
      const { status } = await caller.send("GET", `${base}/${name}`)
      assert.strictEqual(status === 405, kind === "mutation", `${name} answered ${status}`)
      assert.notStrictEqual(status, 404, name)
    }
  })

  it("the catalog lists exactly the tools that the pod lists to an MCP client, with the same input schemas", async () => {
    const key = await pod.aKey(pod.owner)
    const { body } = await key.send(
      "POST",
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
      { accept: "application/json, text/event-stream" }
    )
    const { result } = JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body)
    const listed = result.tools.map(({ inputSchema, name }: { inputSchema: object; name: string }) => [
      name,
      inputSchema
    ])
    const described = (await served()).filter(({ kind }) => kind === "tool").map(({ input, name }) => [name, input])
    assert.sameDeepMembers(described, listed)
  })

  it("if several procedures in the catalog use one schema name, all of them mean the same schema", () => {
    const names = new Map<string, string>()
    for (const [path, { payloadSchema }] of Procedures.requests) {
      // No schema of a declared procedure needs services, but the type of the group cannot say this.
      const { $defs = {} } = JSONSchema.make(payloadSchema as Schema.Schema<unknown>)
      for (const [name, schema] of Object.entries($defs)) {
        const text = JSON.stringify(schema)
        assert.strictEqual(text, names.get(name) ?? text, `${path} means another schema by ${name}`)
        names.set(name, text)
      }
    }
    const { components } = describeCatalog()
    for (const name of Object.keys(components.schemas)) assert.isTrue(names.has(name), name)
  })

  it("the catalog does not list keys as a credential of a procedure that only sessions can call, and has no input schema for a procedure without input", () => {
    const [entry] = catalogDocument([
      { surface: "procedure", name: "things.list", kind: "query", door: signedIn, summary: "List.", input: NoInput }
    ]).operations
    assert.deepStrictEqual(entry, {
      name: "things.list",
      kind: "query",
      group: "things",
      summary: "List.",
      door: "Needs a sign-in session, not a key.",
      scope: null,
      permissions: [],
      credentials: ["session"],
      input: null
    })
  })

  it("the catalog is compressed, has an ETag for caches, and takes on average less than 105 bytes for each operation", async () => {
    const { bytes, headers } = await new Promise<{ bytes: Buffer; headers: NodeJS.Dict<string | Array<string>> }>(
      (resolve, reject) => {
        request(`${pod.baseUrl}${at}`, { headers: { "accept-encoding": "br" } }, (response) => {
          const parts: Array<Buffer> = []
          response.on("data", (part: Buffer) => parts.push(part))
          response.on("end", () => resolve({ bytes: Buffer.concat(parts), headers: response.headers }))
        })
          .on("error", reject)
          .end()
      }
    )
    assert.strictEqual(headers["content-encoding"], "br")
    assert.isBelow(bytes.length / (await served()).length, 105)
    assert.deepStrictEqual(
      JSON.parse(brotliDecompressSync(bytes).toString()),
      (await pod.stranger.send("GET", at)).body
    )
    const again = await pod.stranger.send("GET", at, undefined, {
      "accept-encoding": "br",
      "if-none-match": String(headers["etag"])
    })
    assert.deepStrictEqual([again.status, again.body], [304, ""])
    assert.strictEqual((await pod.stranger.send("POST", at, {})).status, 405)
    assert.strictEqual((await pod.stranger.send("GET", `${at}/more`)).status, 404)
  })
})
