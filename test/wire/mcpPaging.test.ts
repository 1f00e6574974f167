/**
 * MCP tools that return lists: every tool that accepts a cursor returns the cursor of the next page, and a client can
 * read to the last page.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { SchemaAST } from "effect"
import { Tools } from "../../src/Tools.ts"
import { hasNextCursor } from "../../src/doors/Page.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { mcpClients } from "./realMcpClients.ts"

let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
})
afterAll(() => pod?.stop())

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<PropertyKey> =>
  SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => name)

/** The list tools. `path` and `body` create an item, and `field` is the field of the answer that contains the items. */
const listings = [
  { tool: "svc_list_tracks", path: "/tracks", field: "tracks", body: (n: number) => ({ name: `Track ${n}` }) },
  {
    tool: "svc_list_projects",
    path: "/projects",
    field: "projects",
    body: (n: number) => ({ name: ["Harbour", "Roof", "Garden"][n] })
  },
  { tool: "svc_get_entities", path: "/entities", field: "entities", body: (n: number) => ({ title: `Note ${n}` }) }
]

describe("a listing by an MCP tool", () => {
  it("every MCP tool that accepts a cursor returns the cursor of the next page", () => {
    const paging = Tools.filter(({ input }) => fieldsOf(input.ast).includes("cursor"))
    assert.isAbove(paging.length, 5)
    for (const { name, success } of paging) {
      assert.isTrue(hasNextCursor(success), name)
      assert.include(fieldsOf(success.ast), "nextCursor", name)
    }
  })

  it("an MCP client that sends `nextCursor` as `cursor` reads every item once, and the last page has no `nextCursor`", async () => {
    const key = await pod.aKey(pod.owner)
    const client = await mcpClients(() => pod)["SDK v2"](key)
    for (const { body, field, path, tool } of listings) {
      for (const n of [0, 1, 2]) await pod.owner.send("POST", `/api/hub${path}`, body(n))
      const read: Array<string> = []
      let cursor: string | undefined
      for (let pages = 0; pages < 3; pages++) {
        const { structuredContent } = await client.callTool({
          name: tool,
          arguments: { limit: 1, ...(cursor === undefined ? {} : { cursor }) }
        })
        const answer = structuredContent as Readonly<Record<string, ReadonlyArray<{ readonly id: string }>>> & {
          readonly nextCursor?: string
        }
        read.push(...(answer[field] ?? []).map(({ id }) => id))
        cursor = answer.nextCursor
      }
      assert.lengthOf(new Set(read), 3, tool)
      assert.isUndefined(cursor, tool)
    }
    await client.close()
  })
})
