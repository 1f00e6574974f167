/**
 * A caller sends bodies to every surface that reads a body. The bodies are smaller than the size limit, but without
 * more checks they would take too much memory or time.
 */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { request as httpRequest } from "node:http"
import { afterAll, beforeAll } from "vitest"
import { decoderOf, faultsOf } from "../../src/doors/Faults.ts"
import { fitsOneField } from "../../src/doors/Fields.ts"
import { DocumentProposal } from "../../src/features/documents/Document.ts"
import { diffFields } from "../../src/features/gate/FieldDiff.ts"
import { BodyMemory } from "../../src/surfaces/BodyMemory.ts"
import { valuesMax } from "../../src/surfaces/Json.ts"
import { type Answer, aPod, type Caller, type TestPod } from "../support/pod.ts"

let pod: TestPod
let key: Caller
let workspaceId: string
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  key = await pod.aKey(pod.owner)
  workspaceId = await pod.aWorkspace(pod.owner)
})
afterAll(() => pod.stop())

/** For each surface, a function that sends a write. The given JSON text is the value of one field of the write. */
const surfaces: Readonly<Record<string, (json: string) => Promise<Answer>>> = {
  REST: (json) => key.send("PUT", "/api/hub/knowledge/heavy", `{"value":${json}}`),
  "/api/hub/trpc": (json) => key.send("POST", "/api/hub/trpc/events.log", `{"type":"a.b","data":{"x":${json}}}`),
  "/trpc": (json) => pod.owner.send("POST", "/trpc/events.log", `{"type":"a.b","data":{"x":${json}}}`),
  MCP: (json) =>
    key.send(
      "POST",
      "/mcp",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_create_entity","arguments":{"workspaceId":"${workspaceId}","title":"x","profileSlug":"note","properties":{"x":${json}}}}}`,
      { accept: "application/json, text/event-stream" }
    )
}

const filled = (unit: string, count: number) => `[${Array(count).fill(unit).join(",")}]`

const heavy: Readonly<Record<string, string>> = {
  "a million empty arrays": filled("[]", 1_000_000),
  "two million numbers": filled("1", 2_000_000),
  "half a million objects": filled('{"a":1}', 500_000),
  "half a million field names": `{${Array.from({ length: 500_000 }, (_, at) => `"n${at}":0`).join(",")}}`
}

describe("attack: a caller sends a body with millions of values", () => {
  for (const [surface, send] of Object.entries(surfaces)) {
    for (const [what, json] of Object.entries(heavy)) {
      it(`the pod answers 413 to a request to ${surface} with ${what} in its body, before it parses the body`, async () => {
        const { body, status } = await send(json)
        assert.strictEqual(status, 413)
        assert.include(JSON.stringify(body), `more than ${valuesMax} values and names`)
      })
    }
  }

  it("the pod counts a string as one value, even if its text looks like many values", async () => {
    const { status } = await key.send("PUT", "/api/hub/knowledge/texts", {
      value: `\\"${'[1,{\\"a\\":2}],'.repeat(20_000)}\\`
    })
    assert.strictEqual(status, 200)
  })
})

describe("attack: a caller sends a field that is larger than the limit of the field", () => {
  const large: Readonly<Record<string, unknown>> = {
    "a text of two million characters": "x".repeat(2_000_000),
    "an array of thirty thousand numbers": Array(30_000).fill(0),
    "an array of fifteen thousand objects": Array.from({ length: 15_000 }, () => ({ a: 1 }))
  }
  for (const [what, value] of Object.entries(large)) {
    it(`the pod refuses ${what} as the value of a knowledge entry, as a property of an entity and as the data of an event`, async () => {
      const answers = [
        await key.send("PUT", "/api/hub/knowledge/large", { value }),
        await key.send("POST", "/api/hub/entities", { title: "x", profileSlug: "note", properties: { value } }),
        await key.mutate("events.log", { type: "a.b", data: { value } }),
        await key.mutate("events.log", { type: "a.b", metadata: { value } })
      ]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 400, 400, 400]
      )
    })
  }

  it("a caller cannot make a field of an entity larger than its limit by many small changes", async () => {
    const made = await key.send("POST", "/api/hub/entities", { title: "x", profileSlug: "note" })
    const part = (name: string) => ({ properties: { [name]: "x".repeat(600_000) } })
    const path = `/api/hub/entities/${made.body.id ?? made.body.entity.id}`
    assert.strictEqual((await key.send("PATCH", path, part("one"))).status, 200)
    assert.strictEqual((await key.send("PATCH", path, part("two"))).status, 400)
  })

  it("the pod accepts a field with exactly the largest allowed size, and refuses a larger field", () => {
    assert.isTrue(fitsOneField("x".repeat(1_000_000)))
    assert.isFalse(fitsOneField(["x".repeat(1_000_000), "x"]))
    assert.isTrue(fitsOneField(Array(19_999).fill(0)))
    assert.isFalse(fitsOneField(Array(20_000).fill(0)))
  })
})

describe("attack: a caller sends a document with a hundred thousand changes", () => {
  it("a proposal with a hundred thousand changes of a document is refused before the pod parses it", async () => {
    const { status } = await key.send("POST", "/api/hub/documents/proposals", {
      documentId: "01890a5d-ac96-774b-bcce-b302099a8057",
      proposalType: "ai_edit",
      changes: Array.from({ length: 100_000 }, (_, position) => ({ op: "insert", position, text: "x" })),
      proposedContent: "x"
    })
    assert.strictEqual(status, 413)
  })

  it("if an input has tens of thousands of faults, the answer reports one fault, and if a small input has several faults, the answer reports all of them", () => {
    const input = (count: number) => ({ documentId: "x", proposalType: "ai_edit", changes: Array(count).fill(1) })
    const faultsFor = (count: number) => {
      const decoded = decoderOf(DocumentProposal)(input(count))
      return Either.isLeft(decoded) ? faultsOf(decoded.left).length : 0
    }
    assert.strictEqual(faultsFor(10), 12)
    assert.strictEqual(faultsFor(40_000), 1)
  })

  it("if a changed text is too expensive to compare, the proposal shows that the whole text is replaced, and still shows the differences in the other fields", () => {
    const texts = (word: string) =>
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field${at}`, `${word} same `.repeat(60_000)]))
    const differences = diffFields(texts("old"), texts("new"))
    assert.lengthOf(differences, 12)
    assert.deepStrictEqual(
      differences.at(-1)?.words?.map(({ kind }) => kind),
      ["removed", "added"]
    )
    for (const { after, before, words = [] } of differences) {
      const side = (other: "removed" | "added") =>
        words
          .filter(({ kind }) => kind !== other)
          .map(({ text }) => text)
          .join("")
      assert.isTrue(side("added") === before && side("removed") === after)
    }
  })
})

describe("attack: callers send many large bodies at the same time", () => {
  /** Sends the headers and most of the body of a request, and sends the rest of the body when `finish` is called. */
  const began = (bytes: number) =>
    new Promise<{ readonly finish: () => void; readonly answer: Promise<number> }>((resolve) => {
      const body = JSON.stringify({ value: "x".repeat(bytes) })
      const request = httpRequest(`${pod.baseUrl}/api/hub/knowledge/large`, {
        method: "PUT",
        agent: false,
        headers: { ...key.headers, "content-type": "application/json", "content-length": body.length }
      })
      const answer = new Promise<number>((answered) => {
        request.on("response", (response) => {
          response.resume()
          answered(response.statusCode ?? 0)
        })
        request.on("error", () => answered(0))
      })
      request.write(body.slice(0, -1), () => resolve({ finish: () => request.end("}"), answer }))
    })

  it("while large request bodies use all the memory that the pod allows for them, the pod answers further large bodies with 503 and Retry-After, and still reads small bodies", async () => {
    const largeBodies = await Promise.all(Array.from({ length: 12 }, () => began(8_000_000)))
    const early = await Promise.race(largeBodies.map(({ answer }) => answer))
    assert.strictEqual(early, 503)
    const small = await key.send("PUT", "/api/hub/knowledge/small", { value: "small" })
    assert.strictEqual(small.status, 200)
    for (const { finish } of largeBodies) finish()
    const statuses = await Promise.all(largeBodies.map(({ answer }) => answer))
    assert.isTrue(
      statuses.includes(400),
      "the bodies that the pod held are read, and refused because their field is too large"
    )
    const after = await key.send("PUT", "/api/hub/knowledge/large", { value: "x".repeat(900_000) })
    assert.strictEqual(after.status, 200)
  })

  it("when a request ends, the pod can use the memory of the request body for other requests, and the pod always accepts a large request if there are no other requests", () => {
    const memory = new BodyMemory()
    const [one, other] = [{}, {}] as unknown as ReadonlyArray<Parameters<BodyMemory["release"]>[0]>
    assert.isTrue(memory.admitBytes(one, 1_000_000_000))
    assert.isFalse(memory.admitBytes(other, 1_000_000))
    assert.isFalse(memory.admitValues(other, 50_000))
    memory.release(one)
    assert.isTrue(memory.admitBytes(other, 1_000_000))
  })

  it("a caller without a credential cannot make the pod read a larger body than a sign-in needs", async () => {
    for (const path of ["/auth/sign-in", "/setup/claim"]) {
      const { status } = await pod.stranger.send("POST", path, {
        email: "x".repeat(100_000),
        password: "x",
        token: "x"
      })
      assert.strictEqual(status, 413, path)
    }
  })
})
