/** The preview of a grant predicts the answers that a key with this grant gets. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { setRole } from "../../support/membership.ts"
import { aPod, type Answer, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { anEmbedding } from "../memory/factRows.ts"

const ok = ({ body, status }: Answer) => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

for (const [where, storage] of storages) {
  const runs = storage.kind === "memory" ? 120 : 40
  describe(`the preview of a grant ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let agentId: string
    const entities: Array<{ readonly id: string; readonly kind: string; readonly workspaceId: string | null }> = []
    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      agentId = ok(await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note", "track"] }))
        .result.data.id
      for (const place of [null, workspaceId]) {
        for (const kind of ["note", "task"]) {
          const made = ok(
            await pod.owner.send("POST", "/api/hub/entities", { title: kind, profileSlug: kind, workspaceId: place })
          )
          entities.push({ id: made.id, kind, workspaceId: place })
        }
      }
      ok(await pod.owner.send("POST", "/api/hub/tracks", { name: "Roof", workspaceId }))
      for (const place of [{}, { workspaceId }]) {
        ok(await pod.owner.send("POST", "/api/hub/knowledge", { key: "deploy", value: "by hand", ...place }))
      }
      ok(await pod.owner.send("POST", "/api/hub/memory", { fact: "Prefers green tea.", embedding: anEmbedding(7) }))
    })
    afterAll(() => pod?.stop())

    const preview = async (input: object) => ok(await pod.owner.query("grants.preview", input)).result.data

    it("only a signed-in person can preview a grant, and the grant must be valid and within the person's own access", async () => {
      const key = await pod.aKey(pod.owner)
      assert.strictEqual((await key.query("grants.preview", { grant: { permissions: ["*"] } })).status, 403)
      const foreign = await pod.aWorkspace(await pod.aPerson())
      const wide = { grant: { permissions: ["*"], workspaceIds: [foreign] } }
      assert.strictEqual((await pod.owner.query("grants.preview", wide)).status, 403)
      assert.strictEqual((await pod.owner.query("grants.preview", { grant: { permissions: ["*.x"] } })).status, 400)
    })

    it("the summary of a grant for a key with only read scopes says that the key can only read", async () => {
      const everything = { grant: { permissions: ["*"] } }
      assert.strictEqual((await preview(everything)).summary, "May do everything that its owner may do.")
      const { summary } = await preview({ ...everything, scope: ["hub-protocol.read", "mcp.read"] })
      assert.strictEqual(summary, "May read everything that its owner may read.")
    })

    it("the summary of a grant does not say that a key may do everything if its scopes open only some uses", async () => {
      for (const [scope, permissions, expected] of [
        [["chat.stream"], ["*"], "May only chat, with the rights of its owner."],
        [
          ["skills.invoke", "ai:analyze"],
          ["*"],
          "May only run skills and have texts analysed, with the rights of its owner."
        ],
        [["chat.stream"], ["entity.read"], "May only chat, with only the permissions entity.read."],
        [["hub-protocol.read", "chat.stream"], ["*"], "May read everything that its owner may read, and chat."],
        [["probe"], ["*"], "May do nothing."]
      ] as const) {
        assert.strictEqual((await preview({ grant: { permissions }, scope })).summary, expected)
      }
    })

    it("a request to preview the access of an existing key is refused if the key belongs to another person, or if the request also contains a grant", async () => {
      const key = await pod.aKey(pod.owner)
      const other = await pod.aPerson()
      assert.strictEqual((await other.query("grants.preview", { keyId: key.id })).status, 404)
      const both = { keyId: key.id, grant: { permissions: ["*"] } }
      assert.strictEqual((await pod.owner.query("grants.preview", both)).status, 400)
      assert.strictEqual((await pod.owner.query("grants.preview", {})).status, 400)
    })

    it("the sentence in the preview of a grant contains the kinds, the names of the workspaces, the allowed writes and the last day of the key", async () => {
      const grant = { permissions: ["entity.note.read", "document.read"], workspaceIds: [workspaceId] }
      const { name } = ok(await pod.owner.send("GET", `/api/hub/workspaces/${workspaceId}`))
      const reading = ["hub-protocol.read", "mcp.read"]
      const day = new Date(Date.now() + 30 * 86_400_000)
      const last = day.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
      assert.strictEqual(
        (await preview({ grant, scope: reading, expiresInDays: 30 })).sentence,
        `Reads notes and documents in ${name}. Cannot write. Expires ${last}.`
      )
      const whole = { grant: { permissions: ["*"] } }
      assert.strictEqual(
        (await preview({ ...whole, scope: reading })).sentence,
        "Reads everything that you can see. Cannot write."
      )
      assert.strictEqual(
        (await preview({ ...whole, expiresInDays: null })).sentence,
        "Reads everything that you can see. Can write. Never expires."
      )
      assert.match((await preview({ ...whole, agentId })).sentence, /Can write; the writes of an agent wait/)
      const idle = ok(await pod.owner.mutate("agents.create", { name: "Idle", capabilities: [] })).result.data.id
      assert.match((await preview({ ...whole, agentId: idle })).sentence, /Cannot write, because its agent has no/)
      const deaf = await preview({ grant: { permissions: ["entity.note"] }, scope: ["hub-protocol.write"] })
      assert.match(deaf.sentence, /^Reads nothing\. Can write\./)
    })

    it("the sentence in the preview of a grant names the kinds of which the key would read no record, unless the person has no records at all", async () => {
      const person = await pod.aPerson()
      const [there, elsewhere] = [await pod.aWorkspace(person, "There"), await pod.aWorkspace(person, "Elsewhere")]
      const sentence = async (grant: object, more: object = {}) => {
        const input = { grant, scope: ["hub-protocol.read", "mcp.read"], ...more }
        return ok(await person.query("grants.preview", input)).result.data.sentence.replace(" Cannot write.", "")
      }
      const within = { workspaceIds: [there] }
      const both = ["entity.note.read", "document.read"]
      const knowledge = { permissions: ["entity.knowledge.read"], ...within }
      // The person has no records at all yet. So the sentence says what the grant covers, and not that the key reads no
      // notes.
      assert.strictEqual(await sentence({ permissions: both, ...within }), "Reads notes and documents in There.")
      assert.strictEqual(await sentence(knowledge), "Reads knowledge entries in There.")
      assert.strictEqual(await sentence({ permissions: ["memory.read"] }), "Reads memory facts.")

      ok(await person.send("POST", "/api/hub/documents", { title: "D", content: "Text", workspaceId: elsewhere }))
      ok(await person.send("POST", "/api/hub/knowledge", { key: "deploy", value: "by hand", workspaceId: elsewhere }))
      for (const profileSlug of ["note", ...Array.from({ length: 11 }, () => "task")]) {
        const place = profileSlug === "note" ? elsewhere : there
        ok(await person.send("POST", "/api/hub/entities", { title: "T", profileSlug, workspaceId: place }))
      }
      assert.strictEqual(await sentence({ permissions: both, ...within }), "Reads no notes or documents in There.")
      assert.strictEqual(
        await sentence({ permissions: ["entity.task.read", ...both], ...within }),
        "Reads tasks in There, but no notes or documents."
      )
      assert.strictEqual(await sentence(knowledge), "Reads no knowledge entries in There.")
      assert.strictEqual(
        await sentence({ permissions: ["entity.read"] }),
        "Reads records of every kind, but no knowledge entries."
      )
      assert.strictEqual(await sentence({ permissions: ["*"] }), "Reads everything that you can see.")
      assert.strictEqual(
        await sentence({ permissions: ["*"] }, { workspaceId: elsewhere }),
        "Reads everything that you can see in Elsewhere."
      )
    })

    it("the preview of a key names each risk, also for the key of an agent and for a key that can read everything but write nothing", async () => {
      const codes = async (input: object) =>
        (await preview(input)).risks.map(({ code }: { readonly code: string }) => code)
      const reading = { scope: ["hub-protocol.read", "mcp.read"] }
      assert.deepStrictEqual(
        await codes({ grant: { permissions: ["entity.note.read"] }, ...reading, expiresInDays: 90 }),
        []
      )
      assert.deepStrictEqual(
        await codes({ grant: { permissions: ["entity.note.read"] }, ...reading, expiresInDays: null }),
        ["NEVER_EXPIRES"]
      )
      const whole = { grant: { permissions: ["*"] } }
      assert.include(await codes({ ...whole, ...reading }), "FULL_ACCESS")
      assert.include(await codes({ ...whole, agentId }), "FULL_ACCESS")
      const within = { grant: { permissions: ["*"], workspaceIds: [workspaceId] } }
      assert.deepStrictEqual(await codes({ ...within, ...reading }), ["FULL_ACCESS"])
      assert.includeMembers(await codes({ ...whole, scope: ["hub-protocol.admin", "setup.agent"] }), [
        "ADMINISTRATION",
        "CREATES_AGENTS"
      ])
    })

    it("the preview of an existing key lists the records and workspaces in its grant that the person can no longer access", async () => {
      const owner = await pod.aPerson()
      const left = await pod.aWorkspace(pod.owner)
      await setRole(pod, storage, owner.id, left, "editor")
      const gone = ok(await owner.send("POST", "/api/hub/entities", { title: "Gone", profileSlug: "note" })).id
      const key = await pod.aKey(owner, { grant: { permissions: ["*"], workspaceIds: [left] } })
      const single = await pod.aKey(owner, { grant: { permissions: ["*"], entityIds: [gone] } })
      const lostBy = async (keyId: string) =>
        ok(await owner.query("grants.preview", { keyId })).result.data.lost.map(
          ({ id, type }: { readonly id: string; readonly type: string }) => `${type} ${id}`
        )
      assert.deepStrictEqual(await lostBy(key.id), [])
      assert.deepStrictEqual(await lostBy(single.id), [])
      ok(await owner.send("DELETE", `/api/hub/entities/${gone}`))
      assert.deepStrictEqual(await lostBy(single.id), [`entity ${gone}`])
      ok(await pod.owner.send("DELETE", `/api/hub/workspaces/${left}/members/${owner.id}`))
      assert.deepStrictEqual(await lostBy(key.id), [`workspace ${left}`])
    })

    it("the preview of a grant shows at most ten records of a type", async () => {
      // The test uses a new person, because other tests count the records of the owner.
      const person = await pod.aPerson()
      for (let number = 0; number < 11; number++) {
        ok(
          await person.send("POST", "/api/hub/entities", {
            title: `Note ${number}`,
            profileSlug: "note"
          })
        )
      }
      const { samples } = ok(await person.query("grants.preview", { grant: { permissions: ["entity.read"] } })).result
        .data
      assert.lengthOf(samples, 10)
    })

    it("the preview of a grant shows how many records of each kind the grant can read in each workspace, and shows some of these records", async () => {
      const { counts, samples, summary } = await preview({ grant: { permissions: ["entity.note.read"] } })
      assert.strictEqual(summary, "Has only the permissions entity.note.read.")
      assert.sameDeepMembers(counts, [
        { type: "entity", kind: "note", workspaceId: null, count: 1 },
        { type: "entity", kind: "note", workspaceId, count: 1 }
      ])
      assert.deepStrictEqual([...new Set(samples.map(({ kind }: { readonly kind: string }) => kind))], ["note"])
      const all = await preview({ grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      assert.deepInclude(all.counts, { type: "track", kind: null, workspaceId, count: 1 })
      assert.isTrue(all.counts.every((each: { readonly workspaceId: string }) => each.workspaceId === workspaceId))
    })

    it("for each record in the preview of a grant, the preview says which permission reads the record, or why the grant does not cover it", async () => {
      const grant = { permissions: ["entity.note.read", "track"], workspaceIds: [workspaceId] }
      const { missed, samples } = await preview({ grant })
      const rules = (
        rows: ReadonlyArray<{ type: string; kind: string | null; workspaceId: string | null; rule: string }>
      ) =>
        new Map(
          rows.map(({ kind, rule, type, workspaceId: at }) => [
            `${kind ?? type} ${at === null ? "own" : "shared"}`,
            rule
          ])
        )
      assert.deepStrictEqual(
        rules(samples),
        new Map([
          ["note shared", "entity.note.read"],
          ["track shared", "track"]
        ])
      )
      const hidden = rules(missed)
      assert.strictEqual(hidden.get("note own"), "The record is in none of the workspaces of the grant.")
      assert.strictEqual(hidden.get("task shared"), "The grant has no permission that covers entity.task.read.")
      assert.strictEqual(
        hidden.get("knowledge_entry shared"),
        "The grant has no permission that covers entity.knowledge.read."
      )
      assert.strictEqual(hidden.get("memory own"), "The grant has no permission that covers memory.read.")
      const alone = await preview({ grant: { permissions: ["*"], entityIds: [entities[0].id] } })
      assert.strictEqual(rules(alone.missed).get("note shared"), "The record is not one of the entities of the grant.")
      assert.deepStrictEqual((await preview({ grant: { permissions: ["*"] } })).missed, [])
    })

    it("the preview of a key without the scope for reading counts no knowledge entries and no facts, and says which scope is missing", async () => {
      const { counts, missed } = await preview({ grant: { permissions: ["*"] }, scope: ["hub-protocol.write"] })
      const types = counts.map(({ type }: { readonly type: string }) => type)
      assert.notInclude(types, "knowledge_entry")
      assert.notInclude(types, "memory")
      const found = missed.find(({ type }: { readonly type: string }) => type === "memory")
      assert.strictEqual(found.rule, "This operation needs the scope hub-protocol.read.")
    })

    it("when the preview says whether a key can call an operation, it lists the needed permissions, the matching permissions and the permissions that nearly match", async () => {
      const [note, task] = [entities[0].id, entities[1].id]
      const grant = { permissions: ["entity.note.read", "track.read", "entity.task.update"] }
      const read = await preview({ grant, can: { operation: "entities.get", objectId: note } })
      assert.deepInclude(read.can, {
        verdict: "allow",
        required: ["entity.note.read"],
        matched: ["entity.note.read"],
        nearMisses: ["entity.task.update"]
      })
      const hidden = await preview({ grant, can: { operation: "entities.get", objectId: task } })
      assert.deepInclude(hidden.can, {
        verdict: "deny",
        reason: "The grant has no permission that covers entity.task.read.",
        required: ["entity.task.read"],
        matched: []
      })
      const outside = { permissions: ["*"], workspaceIds: [workspaceId] }
      const { can } = await preview({ grant: outside, can: { operation: "entities.get", objectId: note } })
      assert.deepInclude(can, {
        verdict: "deny",
        code: "NOT_FOUND",
        reason: "The record is in none of the workspaces of the grant."
      })
      const whole = await preview({ grant, can: { operation: "knowledge.list" } })
      assert.deepInclude(whole.can, { code: "GRANT_DOOR_UNSUPPORTED", required: ["*"], matched: [] })
    })

    it("the preview of a grant counts exactly the knowledge entries and the facts that a key with this grant can read", async () => {
      const permission = fc.constantFrom(
        "*",
        "entity",
        "entity.knowledge.read",
        "memory.read",
        "memory",
        "entity.note.read"
      )
      const cases = fc.record({
        permissions: fc.uniqueArray(permission, { minLength: 1, maxLength: 3 }),
        isInWorkspace: fc.boolean(),
        scopes: fc.constantFrom(
          ["hub-protocol.read"],
          ["hub-protocol.write"],
          ["hub-protocol.read", "hub-protocol.write"]
        ),
        isAgent: fc.boolean()
      })
      await fc.assert(
        fc.asyncProperty(cases, async ({ isAgent, isInWorkspace, permissions, scopes }) => {
          const input = {
            grant: { permissions, ...(isInWorkspace ? { workspaceIds: [workspaceId] } : {}) },
            scope: scopes,
            ...(isAgent ? { agentId } : {})
          }
          const key = await pod.aKey(pod.owner, input)
          const { counts } = await preview(input)
          const counted = (type: string, at: string | null) =>
            counts
              .filter(
                (each: { type: string; workspaceId: string | null }) => each.type === type && each.workspaceId === at
              )
              .reduce((sum: number, { count }: { readonly count: number }) => sum + count, 0)
          /** Returns the greatest number of records that one of these reads returns for the key. */
          const got = async (reads: ReadonlyArray<() => Promise<ReadonlyArray<unknown> | undefined>>) =>
            Math.max(0, ...(await Promise.all(reads.map((read) => read()))).map((rows) => rows?.length ?? 0))
          const listed = async (path: string) => {
            const { body, status } = await key.send("GET", path)
            return status === 200 ? body : undefined
          }
          const { body, status } = await key.send("POST", "/api/hub/knowledge/search", { query: "deploy tea" })
          const found = (type: string, at: string | null) => async () =>
            status === 200
              ? body.answers
                  .flatMap(
                    ({ items }: { items: ReadonlyArray<{ type: string; workspaceId?: string | null }> }) => items
                  )
                  .filter(
                    (each: { type: string; workspaceId?: string | null }) =>
                      each.type === type && (each.workspaceId ?? null) === at
                  )
              : undefined
          const nearest = async () => {
            const answer = await key.send("POST", "/api/hub/memory/search", {
              userId: pod.ownerId,
              embedding: anEmbedding(7)
            })
            return answer.status === 200 ? answer.body : undefined
          }
          for (const at of [null, workspaceId]) {
            const path = `/api/hub/knowledge${at === null ? "" : `?workspaceId=${at}`}`
            assert.strictEqual(
              counted("knowledge_entry", at),
              await got([() => listed(path), found("knowledge", at)]),
              `${JSON.stringify(input)} at ${at}`
            )
          }
          assert.strictEqual(
            counted("memory", null),
            await got([() => listed("/api/hub/memory"), found("memory", null), nearest]),
            JSON.stringify(input)
          )
        }),
        { numRuns: runs / 2 }
      )
    })

    it("the preview of a grant lists every operation, and gives the refusal code for each operation that a key with this grant cannot call", async () => {
      const { doors } = await preview({ grant: { permissions: ["entity.read"] } })
      const door = (name: string) => doors.find(({ operation }: { readonly operation: string }) => operation === name)
      assert.deepInclude(door("entities.list"), { isOpen: true, code: null })
      assert.deepInclude(door("entities.create"), { isOpen: false, code: "GRANT_DENIED" })
      assert.deepInclude(door("knowledge.list"), { isOpen: false, code: "GRANT_DOOR_UNSUPPORTED" })
      assert.deepInclude(door("apiKeys.create"), { isOpen: false, code: "SESSION_ONLY" })
      assert.deepInclude(door("backups.create"), { isOpen: false, code: "OPERATOR_ONLY" })
      assert.isAbove(doors.length, 40)
    })

    it("only a signed-in person can ask which keys can read a record, and only about a record that the person can read", async () => {
      const record = { objectType: "entity", objectId: entities[0].id }
      assert.strictEqual((await (await pod.aKey(pod.owner)).query("grants.readers", record)).status, 403)
      assert.strictEqual((await (await pod.aPerson()).query("grants.readers", record)).status, 404)
      assert.strictEqual((await pod.owner.query("grants.readers", { ...record, objectType: "nothing" })).status, 400)
    })

    it("the list of the keys that can read a record contains exactly the keys that can read the record now", async () => {
      const inWorkspace = entities.find((each) => each.kind === "note" && each.workspaceId === workspaceId)!
      const orders: ReadonlyArray<readonly [name: string, order: object]> = [
        ["everything", {}],
        ["notes", { grant: { permissions: ["entity.note.read"] } }],
        ["of the agent", { agentId, grant: { permissions: ["entity.read"] } }],
        ["the workspace", { grant: { permissions: ["*"], workspaceIds: [workspaceId] } }],
        ["this object", { grant: { permissions: ["*"], entityIds: [inWorkspace.id] } }],
        ["tasks", { grant: { permissions: ["entity.task.read"] } }],
        ["another object", { grant: { permissions: ["*"], entityIds: [entities[0].id] } }],
        ["changes alone", { scope: ["hub-protocol.write"] }],
        ["other tools", { scope: ["mcp.read"], grant: { permissions: ["entity.knowledge.read"] } }]
      ]
      const callers = new Map<string, Caller & { readonly id: string }>()
      for (const [name, order] of orders)
        callers.set(name, await pod.aKey(pod.owner, { keyName: `reads ${name}`, ...order }))
      const revoked = await pod.aKey(pod.owner, { keyName: "reads revoked" })
      await pod.owner.mutate("apiKeys.revoke", { keyId: revoked.id })
      const found = await pod.owner.query("grants.readers", { objectType: "entity", objectId: inWorkspace.id })
      const named = new Set(ok(found).result.data.map(({ keyName }: { readonly keyName: string }) => keyName))
      assert.isFalse(named.has("reads revoked"))
      for (const [name, caller] of callers) {
        const path = `/api/hub/entities/${inWorkspace.id}`
        const [read, changed] = [await caller.send("GET", path), await caller.send("PATCH", path, { preview: "Seen" })]
        // The answer to a change shows the record too, unless the change becomes a proposal.
        const isShown = read.status === 200 || (changed.status === 200 && changed.body.status !== "proposed")
        assert.strictEqual(named.has(`reads ${name}`), isShown, `${name}: ${read.status}, ${changed.status}`)
      }
      const record = { objectType: "entity", objectId: inWorkspace.id }
      const pages = await Promise.all(
        [0, 2, 4].map((offset) => pod.owner.query("grants.readers", { ...record, limit: 2, offset }))
      )
      const idsOf = (answer: Answer): ReadonlyArray<string> =>
        ok(answer).result.data.map(({ keyId }: { readonly keyId: string }) => keyId)
      assert.deepStrictEqual(pages.flatMap(idsOf), idsOf(found).slice(0, 6))
      const agentKey = ok(found).result.data.find(
        ({ keyName }: { readonly keyName: string }) => keyName === "reads of the agent"
      )
      assert.strictEqual(agentKey.agentName, "Scribe")
    })

    it("the list of keys that can read a knowledge entry also contains the keys that can only change it, because the answer to a change contains the entry", async () => {
      const orders: ReadonlyArray<readonly [name: string, order: object]> = [
        ["everything", {}],
        ["reads entities", { grant: { permissions: ["entity.read"] } }],
        ["reads knowledge", { scope: ["hub-protocol.read"], grant: { permissions: ["entity.knowledge.read"] } }],
        ["changes knowledge", { scope: ["hub-protocol.write"], grant: { permissions: ["entity.knowledge.update"] } }],
        ["changes notes", { scope: ["hub-protocol.write"], grant: { permissions: ["entity.note.update"] } }],
        ["the workspace", { grant: { permissions: ["*"], workspaceIds: [workspaceId] } }],
        ["an object", { grant: { permissions: ["*"], entityIds: [entities[0]?.id] } }]
      ]
      const callers: Array<readonly [name: string, caller: Caller]> = []
      for (const [name, order] of orders)
        callers.push([name, await pod.aKey(pod.owner, { keyName: `entry: ${name}`, ...order })])
      for (const place of ["", `?workspaceId=${workspaceId}`]) {
        const path = `/api/hub/knowledge/deploy${place}`
        const entry = ok(await pod.owner.send("GET", path))
        const found = await pod.owner.query("grants.readers", { objectType: "knowledge_entry", objectId: entry.id })
        const named = new Set(ok(found).result.data.map(({ keyName }: { readonly keyName: string }) => keyName))
        for (const [name, caller] of callers) {
          const [read, changed] = [await caller.send("GET", path), await caller.send("PUT", path, { status: "active" })]
          const isShown = [read, changed].some(({ status }) => status === 200)
          assert.strictEqual(named.has(`entry: ${name}`), isShown, `${name}: ${read.status}, ${changed.status}`)
        }
      }
      const stranger = await pod.aPerson()
      const { id } = ok(await pod.owner.send("GET", "/api/hub/knowledge/deploy"))
      const refused = await stranger.query("grants.readers", { objectType: "knowledge_entry", objectId: id })
      assert.strictEqual(refused.status, 404)
    })

    /** Returns the answer that the key got, in the words of the preview: `allow`, `propose` or `deny`. */
    const verdictOf = ({ body, status }: Answer): string =>
      status === 200 ? (body.status === "proposed" ? "propose" : "allow") : "deny"

    let updates = 0
    const ask = (key: Caller, operation: string, at: (typeof entities)[number]): Promise<Answer> => {
      switch (operation) {
        case "entities.get":
          return key.send("GET", `/api/hub/entities/${at.id}`)
        case "entities.create":
          return key.send("POST", "/api/hub/entities", {
            title: "Made",
            profileSlug: at.kind,
            workspaceId: at.workspaceId
          })
        case "entities.update":
          // Each update has another value, because a change that changes nothing needs no decision.
          return key.send("PATCH", `/api/hub/entities/${at.id}`, { preview: `Seen ${++updates}` })
        default:
          return key.send("GET", "/api/hub/knowledge")
      }
    }

    it("the preview of a grant predicts the decision that a key with this grant gets when it reads, creates or changes an entity or lists knowledge entries", async () => {
      const permission = fc.constantFrom(
        "*",
        "entity",
        "entity.read",
        "entity.note",
        "entity.note.read",
        "entity.task.update",
        "entity.*.create",
        "track",
        "document.read"
      )
      const cases = fc.record({
        permissions: fc.uniqueArray(permission, { minLength: 1, maxLength: 3 }),
        limits: fc.constantFrom("none", "workspace", "object", "both"),
        scopes: fc.constantFrom(["hub-protocol.read"], ["hub-protocol.read", "hub-protocol.write"]),
        isAgent: fc.boolean(),
        operation: fc.constantFrom("entities.get", "entities.create", "entities.update", "knowledge.list"),
        at: fc.nat(3),
        object: fc.nat(3)
      })
      await fc.assert(
        fc.asyncProperty(cases, async ({ at, isAgent, limits, object, operation, permissions, scopes }) => {
          const target = entities[at]
          const grant = {
            permissions,
            ...(limits === "workspace" || limits === "both" ? { workspaceIds: [workspaceId] } : {}),
            ...(limits === "object" || limits === "both" ? { entityIds: [entities[object].id] } : {})
          }
          const holder = isAgent ? { agentId } : {}
          const key = await pod.aKey(pod.owner, { grant, scope: scopes, ...holder })
          const { can } = await preview({
            grant,
            scope: scopes,
            ...holder,
            can: {
              operation,
              ...(operation === "entities.create"
                ? { kind: target.kind, ...(target.workspaceId === null ? {} : { workspaceId }) }
                : operation === "knowledge.list"
                  ? {}
                  : { objectId: target.id })
            }
          })
          const answer = await ask(key, operation, target)
          assert.strictEqual(
            can.verdict,
            verdictOf(answer),
            `${JSON.stringify(can)} but ${answer.status} ${JSON.stringify(answer.body)}`
          )
        }),
        { numRuns: runs }
      )
    })
  })
}
