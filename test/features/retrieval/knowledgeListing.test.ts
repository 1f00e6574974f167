/**
 * The deprecated search of knowledge over HTTP: which entries it lists, in which order, and how its answer says that it
 * is deprecated.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { deprecationHeaders } from "../../../src/doors/Declaration.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

it("if the last day of a deprecated operation is known, its answers have the header `Sunset` with this day", () => {
  const deprecated = { since: "2026-01-01", successor: "/knowledge/search", until: "2027-01-31" } as const
  assert.deepStrictEqual(deprecationHeaders(deprecated, "/api/hub"), {
    deprecation: "@1767225600",
    link: '</api/hub/knowledge/search>; rel="successor-version"',
    sunset: "Sun, 31 Jan 2027 00:00:00 GMT"
  })
})

const search = (caller: Caller, query: Readonly<Record<string, string>>) =>
  caller.send("GET", `/api/hub/knowledge/search?${new URLSearchParams(query).toString()}`)

const keys = async (caller: Caller, query: Readonly<Record<string, string>>) => {
  const { body, status } = await search(caller, query)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.map(({ key }: { key: string }) => key)
}

for (const [where, storage] of storages) {
  describe(`the older search for knowledge entries by words ${where}`, () => {
    let pod: TestPod
    const keep = async (caller: Caller, entry: object) => {
      const { body, status } = await caller.send("POST", "/api/hub/knowledge", entry)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    beforeAll(async () => {
      pod = await aPod(storage)
    })
    afterAll(() => pod.stop())

    it("in the older search for knowledge entries, a request without a credential or with a limited key is refused, and a request without words gets 400", async () => {
      assert.strictEqual((await search(pod.stranger, { q: "rope" })).status, 401)
      const key = await pod.aKey(pod.owner, { grant: { permissions: ["entity.note.read"] } })
      assert.strictEqual((await search(key, { q: "rope" })).status, 403)
      for (const query of [{}, { q: "" }, { limit: "5" }, { q: "rope", limit: "0" }]) {
        assert.strictEqual((await search(pod.owner, query as Record<string, string>)).status, 400)
      }
      assert.include((await search(pod.owner, {})).body.error, "q or query")
    })

    it("the older search for knowledge entries returns whole entries that match the parameter `q` or `query`, best first, and at most as many entries as the request asks for", async () => {
      await keep(pod.owner, { key: "ropes", slug: "all-ropes", value: { text: "rope rope rope" } })
      const anchor = await keep(pod.owner, {
        key: "anchor",
        value: "An anchor hangs on a rope of the ship's long chain."
      })
      await keep(pod.owner, { key: "sails", value: "Canvas." })
      assert.deepStrictEqual(await keys(pod.owner, { q: "rope" }), ["ropes", "anchor"])
      assert.deepStrictEqual(await keys(pod.owner, { query: "rope", limit: "1" }), ["ropes"])
      const { body } = await search(pod.owner, { q: "anchor" })
      assert.deepStrictEqual(body, [anchor])
    })

    it("the older search for knowledge entries returns ten entries unless the request states another limit", async () => {
      for (let at = 0; at < 12; at++) await keep(pod.owner, { key: `barrel-${at}`, value: "A barrel of herring." })
      assert.strictEqual((await keys(pod.owner, { q: "herring" })).length, 10)
      assert.strictEqual((await keys(pod.owner, { q: "herring", limit: "100" })).length, 12)
    })

    it("the older search for knowledge entries covers only the personal space if the request states no workspace, and covers a workspace only for its members", async () => {
      const other = await pod.aPerson()
      const mine = await pod.aWorkspace(pod.owner)
      const theirs = await pod.aWorkspace(other)
      await keep(pod.owner, { key: "of-the-workspace", value: "The marzipan is in the galley.", workspaceId: mine })
      await keep(pod.owner, { key: "of-my-own", value: "The marzipan is in my cabin." })
      await keep(other, { key: "of-theirs", value: "The marzipan is theirs.", workspaceId: theirs })
      assert.deepStrictEqual(await keys(pod.owner, { q: "marzipan" }), ["of-my-own"])
      assert.deepStrictEqual(await keys(pod.owner, { q: "marzipan", workspaceId: mine }), ["of-the-workspace"])
      assert.strictEqual((await search(pod.owner, { q: "marzipan", workspaceId: theirs })).status, 403)
    })

    it("the older search for knowledge entries does not return an archived entry", async () => {
      await keep(pod.owner, { key: "old-lamp", value: "A whale oil lamp." })
      await pod.owner.send("DELETE", "/api/hub/knowledge/old-lamp")
      assert.deepStrictEqual(await keys(pod.owner, { q: "whale lamp" }), [])
    })

    it("every answer of the older search for knowledge entries, even a refusal, says that the operation is deprecated and what replaces it", async () => {
      for (const query of [{ q: "rope" }, {}]) {
        const { headers } = await search(pod.owner, query)
        assert.strictEqual(headers.get("deprecation"), `@${Date.UTC(2026, 0, 1) / 1000}`)
        assert.strictEqual(headers.get("link"), '</api/hub/knowledge/search>; rel="successor-version"')
      }
      const entities = await pod.owner.send("POST", "/api/hub/entities/retrieve", { query: "rope" })
      assert.strictEqual(entities.headers.get("link"), '</api/hub/knowledge/search>; rel="successor-version"')
      // The header `sunset` is absent, because this operation has no date of removal yet.
      assert.isNull(entities.headers.get("sunset"))
      const successor = await pod.owner.send("POST", "/api/hub/knowledge/search", { query: "rope" })
      assert.isNull(successor.headers.get("deprecation"))
    })
  })
}
