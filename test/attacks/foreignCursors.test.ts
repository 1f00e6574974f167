/**
 * A cursor works only in the list that returned it, and only for the person who got it. The tests call every operation
 * that takes a cursor.
 */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { cursorText, foreignCursor, markOf } from "../../src/doors/Cursor.ts"
import type { Operation } from "../../src/doors/Operation.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { anEdge, type Edge } from "../wire/edges.ts"

let edge: Edge
beforeAll(async () => {
  edge = await anEdge()
})
afterAll(() => edge.close())

// The place of the cursors in these tests is after every row. The pod never returned this place, but accepts it.
const place = { at: "9999-12-31T23:59:59.999Z", id: "ffffffff-ffff-7fff-bfff-ffffffffffff" }

const listings = () => edge.catalog.rest.filter(({ cursors }) => cursors !== undefined)

/** Query parameters that some lists require. */
const required: Readonly<Record<string, () => string>> = {
  "focusSessions.list": () => `&workspaceId=${edge.pod.ownerId}`
}

const ask = (operation: ReturnType<typeof listings>[number], cursor: string) =>
  edge.client.send({
    method: "GET",
    path: `${edge.pathOf(operation)}?cursor=${encodeURIComponent(cursor)}${required[operation.name]?.() ?? ""}`,
    headers: edge.passing(operation)
  })

/** Returns the mark in the cursors of this list and this person. The pod refuses a cursor with another mark. */
const ownMark = (operation: ReturnType<typeof listings>[number], personId: string) => {
  const [pattern, address] = [operation.path, edge.pathOf(operation)].map((path) => path.split("/"))
  const params = Object.fromEntries(
    pattern.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), address[at]]] : []))
  )
  return operation.cursors!.markOf({ path: params, urlParams: {} }, personId)
}

const isCursorFault = ({ body, status }: { readonly body: any; readonly status: number }) =>
  status === 400 && body.details.some((fault: { readonly path: string }) => fault.path === "cursor")

describe("attack: a cursor of another list or of another person", () => {
  it("every list answers 400 with the same message to the cursor of another list", async () => {
    assert.isAtLeast(listings().length, 30)
    for (const operation of listings()) {
      const answer = await ask(operation, cursorText(place, markOf("another list", edge.pod.ownerId)))
      assert.strictEqual(answer.status, 400, `${operation.name}: ${answer.text}`)
      assert.deepStrictEqual(
        answer.body.details.map(({ message }: { readonly message: string }) => message),
        [foreignCursor],
        operation.name
      )
    }
  })

  it("every list answers 400 to the cursor that another person got for the same list", async () => {
    for (const operation of listings()) {
      const answer = await ask(operation, cursorText(place, ownMark(operation, uuidv7())))
      assert.isTrue(isCursorFault(answer), `${operation.name}: ${answer.text}`)
    }
  })

  it("every list accepts its own cursor, or refuses the request for another reason than the cursor", async () => {
    for (const operation of listings()) {
      const answer = await ask(operation, cursorText(place, ownMark(operation, edge.pod.ownerId)))
      assert.isFalse(isCursorFault(answer), `${operation.name}: ${answer.text}`)
      assert.isBelow(answer.status, 500, `${operation.name}: ${answer.text}`)
    }
  })

  it("the list of one record answers 400 to a cursor from the same list of another record", async () => {
    const within = listings().filter(({ path }) => path.includes("/:"))
    assert.isAtLeast(within.length, 6)
    for (const operation of within) {
      const params = Object.fromEntries([...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, uuidv7()]))
      const mark = operation.cursors!.markOf({ path: params, urlParams: {} }, edge.pod.ownerId)
      assert.isTrue(isCursorFault(await ask(operation, cursorText(place, mark))), operation.name)
    }
  })

  it("the procedure that lists entities accepts the cursor of the REST list of entities, and refuses the cursor of the list of events", async () => {
    const caller = edge.key
    const { headers } = await caller.send("GET", "/api/hub/events?limit=1")
    const events = headers.get("x-svc-next-cursor")
    for (const title of ["one", "two"]) await caller.send("POST", "/api/hub/entities", { title })
    const page = await caller.send("GET", "/api/hub/entities?limit=1")
    const entities = page.headers.get("x-svc-next-cursor")
    const rest = await caller.query("entities.getEntities", { limit: 1, cursor: entities })
    assert.strictEqual(rest.status, 200, JSON.stringify(rest.body))
    assert.notStrictEqual(rest.body.result.data[0].id, page.body[0].id)
    const refused = await caller.query("entities.getEntities", { limit: 1, cursor: events })
    assert.strictEqual(refused.status, 400)
    assert.include(JSON.stringify(refused.body), foreignCursor)
  })

  it("the mark in the cursors of a procedure or tool, by which the pod recognizes its own cursors, is different for each person", () => {
    const others: ReadonlyArray<Operation> = [
      ...edge.catalog.procedures.values(),
      ...edge.catalog.tools.values()
    ].filter(({ cursors }) => cursors !== undefined)
    assert.isAtLeast(others.length, 25)
    for (const { cursors, name } of others) {
      assert.notStrictEqual(cursors!.markOf({}, edge.pod.ownerId), cursors!.markOf({}, uuidv7()), name)
    }
  })
})
