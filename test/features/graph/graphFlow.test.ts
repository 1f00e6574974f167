/**
 * The graph over HTTP on each storage: which requests the pod refuses, which objects it hides, and which neighbours it
 * shows.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { setRole } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const hub = "/api/hub"
const unknown = (id: string) => ({
  type: "unknown",
  id,
  displayName: null,
  workspaceId: null,
  updatedAt: null,
  profileSlug: null,
  openable: false,
  params: {}
})

interface Row {
  readonly entityId: string
  readonly depth: number
  readonly truncated?: boolean
  readonly [field: string]: unknown
}

for (const [where, storage] of storages) {
  describe(`the graph of connected records ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let other: Caller & { readonly id: string }

    const made = async (caller: Caller, path: string, body: object) => {
      const answer = await caller.send("POST", `${hub}/${path}`, body)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body.id as string
    }
    const an = (profileSlug: string, title: string, more: object = { workspaceId }) =>
      made(pod.owner, "entities", { profileSlug, title, ...more })
    const link = (sourceEntityId: string, targetEntityId: string, type = "supports") =>
      made(pod.owner, "relations", { sourceEntityId, targetEntityId, type })
    const read = async (path: string, caller: Caller = pod.owner) => {
      const answer = await caller.send("GET", `${hub}/${path}`)
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    const titles = async (ids: ReadonlyArray<string>, caller: Caller = pod.owner) => {
      const answer = await caller.send("POST", `${hub}/resolve/titles`, { ids })
      assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as ReadonlyArray<{ readonly id: string; readonly [field: string]: unknown }>
    }
    const walked = async (start: string, more = "", caller: Caller = pod.owner): Promise<ReadonlyArray<Row>> =>
      read(`graph/traverse?startEntityId=${start}${more}`, caller)

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      await read("workspaces")
      other = await pod.aPerson()
    })
    afterAll(() => pod?.stop())

    describe("refused requests for the graph", () => {
      it("a key whose grant allows only some subjects or workspaces cannot call any operation of the graph", async () => {
        const id = await an("note", "Closed")
        const narrow = [
          await pod.aKey(pod.owner, { grant: { permissions: ["entity", "relation"] } }),
          await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
        ]
        for (const path of [
          `graph/traverse?startEntityId=${id}`,
          `graph/entity/${id}`,
          `resolve/${id}`,
          "resolve?kind=entity&name=Closed"
        ]) {
          assert.strictEqual((await pod.stranger.send("GET", `${hub}/${path}`)).status, 401)
          for (const key of narrow) {
            const { body, status } = await key.send("GET", `${hub}/${path}`)
            assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"], path)
          }
        }
        assert.strictEqual((await pod.stranger.send("POST", `${hub}/resolve/titles`, { ids: [id] })).status, 401)
        for (const key of narrow) {
          const { body, status } = await key.send("POST", `${hub}/resolve/titles`, { ids: [id] })
          assert.deepStrictEqual([status, body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
        }
      })

      it("a request for titles is refused if it has no id, more than 100 ids or a text that is not an id", async () => {
        const hundred = Array.from({ length: 100 }, () => uuidv7())
        assert.deepStrictEqual(await titles(hundred), [])
        const refused = [
          {},
          { ids: [] },
          { ids: [...hundred, uuidv7()] },
          { ids: ["none"] },
          { ids: [null] },
          { ids: "" }
        ]
        for (const body of refused) {
          const answer = await pod.owner.send("POST", `${hub}/resolve/titles`, body)
          assert.strictEqual(answer.status, 400, JSON.stringify(body).slice(0, 60))
        }
      })

      it("a graph request for an object of another person gets the same answer as for a missing object, for every kind of object", async () => {
        const entity = await an("note", "Only ours")
        const objects = [
          ["entity", entity],
          ["document", await made(pod.owner, "documents", { title: "Only ours", workspaceId, entityId: entity })],
          ["project", await made(pod.owner, "projects", { name: "Only ours", workspaceId })],
          ["view", await made(pod.owner, "views", { name: "Only ours", type: "table", workspaceId })],
          ["channel", await made(pod.owner, "channels", { title: "Only ours", workspaceId })],
          ["command", await made(pod.owner, "commands", { name: "Only ours", workspaceId })],
          ["skill", await made(pod.owner, "skills", { name: "Only ours", prompt: "Say it.", workspaceId })],
          ["session", await made(pod.owner, "focus-sessions", { goal: "Only ours", workspaceId })]
        ] as const
        await link(entity, await an("note", "Also ours"))
        for (const [kind, id] of objects) {
          const missing = uuidv7()
          const found = await read(`graph/${kind}/${id}`)
          assert.isTrue(found.found, kind)
          assert.strictEqual(found.object.name, "Only ours")
          const [hidden, absent] = [
            await read(`graph/${kind}/${id}`, other),
            await read(`graph/${kind}/${missing}`, other)
          ]
          assert.isFalse(hidden.found)
          assert.deepStrictEqual(JSON.stringify(hidden).replaceAll(id, missing), JSON.stringify(absent), kind)
          assert.deepStrictEqual(await read(`resolve/${id}`, other), unknown(id), kind)
          const named = await read(`resolve?kind=${kind}&name=Only%20ours`, other)
          assert.deepStrictEqual(named, { matches: [], unique: false }, kind)
        }
        assert.deepStrictEqual(await titles([...objects.map(([, id]) => id), workspaceId], other), [])
        assert.deepStrictEqual(await walked(entity, "", other), [])
        assert.deepStrictEqual(await walked(uuidv7()), [])
        assert.deepStrictEqual(await read(`resolve/${workspaceId}`, other), unknown(workspaceId))
        const agent = await pod.owner.mutate("agents.create", { name: "Ours" })
        const agentId = agent.body.result.data.id as string
        assert.strictEqual((await read(`resolve/${agentId}`)).type, "agent")
        assert.deepStrictEqual(await read(`resolve/${agentId}`, other), unknown(agentId))
        assert.deepStrictEqual(await titles([agentId], other), [])
      })

      it("a graph request for an object of an unknown kind is refused, and the answer lists the valid kinds", async () => {
        const { body, status } = await pod.owner.send("GET", `${hub}/graph/planet/${uuidv7()}`)
        assert.strictEqual(status, 400)
        for (const kind of ["entity", "view", "channel", "session", "automation", "project", "document", "command"]) {
          assert.include(body.error, kind)
        }
        assert.strictEqual((await pod.owner.send("GET", `${hub}/graph/entity/none`)).status, 400)
        assert.strictEqual((await pod.owner.send("GET", `${hub}/graph/traverse?startEntityId=none`)).status, 400)
      })

      it("in the graph, a person finds another member's focus session neither by its id nor among the neighbours of the session's channel", async () => {
        const channel = await made(pod.owner, "channels", { title: "Shared", workspaceId })
        const session = await made(pod.owner, "focus-sessions", { goal: "Mine", workspaceId, channelId: channel })
        const colleague = await pod.aPerson()
        await setRole(pod, storage, colleague.id, workspaceId, "editor")
        assert.lengthOf((await read(`graph/channel/${channel}`)).neighbors, 1)
        const seen = await read(`graph/channel/${channel}`, colleague)
        assert.isTrue(seen.found)
        assert.deepStrictEqual([seen.neighbors, seen.counts], [[], { total: 0, byKind: {}, byVia: {} }])
        assert.deepStrictEqual(await read(`resolve/${session}`, colleague), unknown(session))
        const seenTitles = await titles([session, channel], colleague)
        assert.deepStrictEqual(
          seenTitles.map(({ displayName }) => displayName),
          ["Shared"]
        )
      })
    })

    it("a request to traverse the graph follows relations as deep as requested, at most three relations, and shows each entity once", async () => {
      const ids: Array<string> = []
      for (const title of ["a", "b", "c", "d", "e"]) ids.push(await an("note", title))
      for (let at = 1; at < ids.length; at += 1) await link(ids[at - 1], ids[at])
      await link(ids[2], ids[0], "answers")
      const reached = async (more = "") => (await walked(ids[0], more)).map(({ depth, entityId }) => [entityId, depth])
      assert.deepStrictEqual(await reached("&maxDepth=1"), [
        [ids[2], 1],
        [ids[1], 1]
      ])
      assert.deepStrictEqual(await reached(), [
        [ids[2], 1],
        [ids[1], 1],
        [ids[3], 2]
      ])
      assert.deepStrictEqual(await reached("&maxDepth=99"), await reached("&maxDepth=3"))
      assert.deepStrictEqual(await reached("&maxDepth=3&relationshipTypes=supports"), [
        [ids[1], 1],
        [ids[2], 2],
        [ids[3], 3]
      ])
      assert.deepStrictEqual(await reached("&relationshipTypes=supports,%20answers"), await reached())
      const [, , last] = await walked(ids[0], "&maxDepth=3&relationshipTypes=supports")
      assert.deepInclude(last, {
        title: "d",
        entityType: "note",
        relationType: "supports",
        direction: "outgoing",
        via: ids.slice(0, 3)
      })
      assert.notProperty(last, "truncated")
    })

    it("a request to traverse the graph follows no relation through a deleted entity", async () => {
      const [start, hidden, beyond] = [await an("note", "s"), await an("note", "h"), await an("note", "b")]
      await link(start, hidden)
      await link(hidden, beyond)
      assert.lengthOf(await walked(start), 2)
      await pod.owner.send("DELETE", `${hub}/entities/${hidden}`)
      assert.deepStrictEqual(await walked(start, "&maxDepth=3"), [])
    })

    it("if a request to traverse the graph finds more rows than its limit allows, the last row of the answer says so", async () => {
      const start = await an("note", "hub")
      for (const title of ["1", "2", "3"]) await link(start, await an("note", title))
      const cut = await walked(start, "&limit=2")
      assert.deepStrictEqual(
        cut.map(({ truncated }) => truncated),
        [undefined, true]
      )
      const whole = await walked(start, "&limit=3")
      assert.deepStrictEqual(
        whole.map(({ truncated }) => truncated),
        [undefined, undefined, undefined]
      )
    })

    it("the graph connects an entity with its relations, properties, documents, projects and the conversations about it", async () => {
      const projectId = await made(pod.owner, "projects", { name: "Harbour", workspaceId })
      const person = await an("person", "Anna Berg")
      const profiles = (await read("profiles?limit=1000")) as ReadonlyArray<{ id: string; slug: string }>
      const profileId = profiles.find(({ slug }) => slug === "portfolio")!.id
      const definition = { profileId, slug: "lead", valueType: "entity_id", workspaceId }
      await made(pod.owner, "property-defs", definition)
      const entity = await an("portfolio", "Quays", { workspaceId, projectId, properties: { lead: person } })
      const note = await an("note", "Wet")
      await link(note, entity)
      const document = await made(pod.owner, "documents", { title: "Plan", workspaceId, entityId: entity })
      const about = { contextObjectId: entity, contextObjectType: "entity", workspaceId }
      const channel = await made(pod.owner, "channels", { title: "Quay talk", ...about })
      const { counts, found, neighbors, object, truncated } = await read(`graph/entity/${entity}`)
      assert.deepStrictEqual([found, truncated], [true, false])
      assert.deepStrictEqual(object, {
        kind: "entity",
        id: entity,
        name: "Quays",
        subtype: "portfolio",
        subtypes: ["portfolio"],
        workspaceId
      })
      const neighborLines = (neighbors as ReadonlyArray<Record<string, unknown>>).map(
        ({ direction, edgeType, id, kind, via }) => [kind, id, edgeType, direction, via].join(" ")
      )
      assert.sameMembers(neighborLines, [
        `entity ${note} supports incoming relations`,
        `entity ${person} lead outgoing property`,
        `project ${projectId} belongs_to_project structural links`,
        `document ${document} about incoming links`,
        `channel ${channel} about incoming channel`
      ])
      assert.deepStrictEqual(counts, {
        total: 5,
        byKind: { entity: 2, project: 1, document: 1, channel: 1 },
        byVia: { relations: 1, property: 1, links: 2, channel: 1 }
      })
      const named = await read(`graph/entity/${person}`)
      assert.deepStrictEqual(
        named.neighbors.map((each: any) => [
          each.id,
          each.name,
          each.edgeType,
          each.direction,
          each.via,
          each.workspaceId
        ]),
        [[entity, "Quays", "lead", "incoming", "property", workspaceId]]
      )
      assert.deepStrictEqual(named.counts, { total: 1, byKind: { entity: 1 }, byVia: { property: 1 } })
      const project = await read(`graph/project/${projectId}`)
      assert.deepStrictEqual(
        project.neighbors.map(({ id }: { readonly id: string }) => id),
        [entity]
      )
      const fewer = await read(`graph/entity/${entity}?limit=2`)
      assert.deepStrictEqual([fewer.neighbors.length, fewer.counts.total, fewer.truncated], [2, 5, true])
    })

    it("the graph shows a property as a link between entities only if the profile defines the property as a reference", async () => {
      const person = await an("person", "Bo Lind")
      const free = await an("company", "Free text", { workspaceId, properties: { remark: person } })
      const names = async (caller?: Caller) =>
        (await read(`graph/entity/${person}`, caller)).neighbors.map(({ name }: any) => name)
      assert.deepStrictEqual(await names(), [])
      const profiles = (await read("profiles?limit=1000")) as ReadonlyArray<{ id: string; slug: string }>
      const profileId = profiles.find(({ slug }) => slug === "company")!.id
      const list = { valueType: "array", constraints: { itemType: "entity_id" } }
      await made(pod.owner, "property-defs", { profileId, slug: "staff", ...list, workspaceId })
      await made(pod.owner, "property-defs", { profileId, slug: "owner", valueType: "entity_id", workspaceId })
      await an("company", "With a list", { workspaceId, properties: { staff: [free, person] } })
      await an("company", "With an owner", { workspaceId, properties: { owner: person, remark: person } })
      assert.deepStrictEqual(await names(), ["With an owner", "With a list"])
      const colleague = await pod.aPerson()
      await setRole(pod, storage, colleague.id, workspaceId, "editor")
      await an("company", "Personal", { properties: { owner: person } })
      assert.deepStrictEqual(await names(colleague), ["With an owner", "With a list"])
      assert.deepStrictEqual(await names(other), [])
    })

    it("the graph resolves an id to the object with that id, and finds no object for a text that is not an id", async () => {
      const entity = await an("task", "Call Anna")
      const channel = await made(pod.owner, "channels", { title: "Calls", workspaceId })
      const thread = await made(pod.owner, "threads", { title: "First", workspaceId, parentChannelId: channel })
      const found = await read(`resolve/${entity.toUpperCase()}`)
      const { type, displayName, id, openable, profileSlug } = found
      assert.deepStrictEqual(
        [type, id, displayName, found.workspaceId, profileSlug, openable],
        ["entity", entity, "Call Anna", workspaceId, "task", true]
      )
      const opened = await read(`resolve/${thread}`)
      assert.deepStrictEqual([opened.type, opened.id, opened.params], ["channel", channel, { threadId: thread }])
      assert.deepInclude(await read(`resolve/${workspaceId}`), { type: "workspace", displayName: "Workspace" })
      assert.deepStrictEqual(await read("resolve/no-such-thing"), unknown("no-such-thing"))
      const agent = await pod.owner.mutate("agents.create", { name: "Clerk", capabilities: ["*"] })
      const clerk = await pod.aKey(pod.owner, { agentId: agent.body.result.data.id })
      const { body } = await clerk.send("POST", `${hub}/tracks`, { name: "Proposed", status: "active" })
      assert.strictEqual(body.status, "proposed")
      assert.deepInclude(await read(`resolve/${body.proposalId}`), { type: "proposal", openable: true })
      assert.deepStrictEqual(await read(`resolve/${body.proposalId}`, other), unknown(body.proposalId))
    })

    it("the answer to a request for titles contains each known id once, with the type and name that a request for this id alone gets", async () => {
      const entity = await an("task", "Paint the boat")
      const channel = await made(pod.owner, "channels", { title: "Paint", workspaceId })
      const thread = await made(pod.owner, "threads", { title: "Which red", workspaceId, parentChannelId: channel })
      const agent = await pod.owner.mutate("agents.create", { name: "Painter", capabilities: ["*"] })
      const agentId = agent.body.result.data.id as string
      const painter = await pod.aKey(pod.owner, { agentId })
      const { body } = await painter.send("POST", `${hub}/tracks`, { name: "Second coat", status: "active" })
      const removed = await an("note", "Removed")
      assert.strictEqual((await pod.owner.send("DELETE", `${hub}/entities/${removed}`)).status, 200)
      const ids = [
        thread,
        entity,
        await made(pod.owner, "documents", { title: "Colours", workspaceId, entityId: entity }),
        await made(pod.owner, "projects", { name: "Boat", workspaceId }),
        await made(pod.owner, "views", { name: "Boats", type: "table", workspaceId }),
        await made(pod.owner, "focus-sessions", { goal: "Paint it", workspaceId }),
        await made(pod.owner, "skills", { name: "Paint", prompt: "Paint {{text}}." }),
        channel,
        workspaceId,
        agentId,
        body.proposalId as string
      ]
      const expected = []
      for (const id of ids) {
        const { displayName, type, workspaceId: place } = await read(`resolve/${id}`)
        assert.notStrictEqual(type, "unknown")
        expected.push({ id, type, displayName, workspaceId: place })
      }
      const asked = [...ids, uuidv7(), removed, entity, entity.toUpperCase()]
      assert.deepStrictEqual(await titles(asked), expected)
      assert.deepInclude(expected[0], { displayName: "Which red" })
      assert.deepStrictEqual(await titles([uuidv7(), removed]), [])
    })

    it("the graph resolves the id of a skill, and finds the caller's own skills, workspaces and agents by name", async () => {
      const skill = await made(pod.owner, "skills", { name: "Summarise", prompt: "Summarise {{text}}." })
      assert.deepInclude(await read(`resolve/${skill}`), { type: "skill", displayName: "Summarise", openable: true })
      assert.deepStrictEqual(await read(`resolve/${skill}`, other), unknown(skill))
      assert.isTrue((await read(`graph/skill/${skill}`)).found)
      assert.isFalse((await read(`graph/skill/${skill}`, other)).found)
      const agent = await pod.owner.mutate("agents.create", { name: "Harbour Master" })
      const quay = await pod.aWorkspace(pod.owner, "North Quay")
      for (const [kind, id, name] of [
        ["skill", skill, "summarise"],
        ["agent", agent.body.result.data.id, "harbour%20MASTER"],
        ["workspace", quay, "north%20quay"]
      ] as const) {
        const found = await read(`resolve?kind=${kind}&name=${name}`)
        assert.deepStrictEqual([found.unique, found.matches[0]?.kind, found.matches[0]?.id], [true, kind, id])
        assert.deepStrictEqual(await read(`resolve?kind=${kind}&name=${name}`, other), { matches: [], unique: false })
      }
    })

    it("the graph finds objects by name in any letter case, and only objects of the requested kind", async () => {
      const one = await an("company", "Acme Harbour")
      const found = await read("resolve?kind=entity&name=%20acme%20HARBOUR")
      assert.deepStrictEqual(found, {
        matches: [{ kind: "entity", id: one, name: "Acme Harbour", subtype: "company", workspaceId }],
        unique: true
      })
      await an("note", "Acme Harbour")
      assert.isFalse((await read("resolve?kind=entity&name=acme%20harbour")).unique)
      assert.isTrue((await read("resolve?kind=entity&name=acme%20harbour&subtype=note")).unique)
      const view = await made(pod.owner, "views", { name: "Open Berths", type: "table", workspaceId })
      const views = await read("resolve?kind=view&name=open%20berths")
      assert.deepStrictEqual(views.matches, [
        { kind: "view", id: view, name: "Open Berths", subtype: "table", workspaceId }
      ])
      assert.isFalse((await read("resolve?kind=view&name=open%20berths&subtype=kanban")).unique)
    })

    it("the graph lists objects with equal names newest first, whatever their kind is, and even if an older object was changed last", async () => {
      const name = "Twice There"
      const bodies = [
        ["entity", "entities", "title", { profileSlug: "note", workspaceId }],
        ["view", "views", "name", { type: "table", workspaceId }],
        ["channel", "channels", "title", { workspaceId }],
        ["skill", "skills", "name", { prompt: "Say it.", workspaceId }]
      ] as const
      for (const [kind, path, field, body] of bodies) {
        const older = await made(pod.owner, path, { ...body, [field]: name })
        const newer = await made(pod.owner, path, { ...body, [field]: name })
        const changed = await pod.owner.send("PATCH", `${hub}/${path}/${older}`, { [field]: "TWICE there" })
        assert.strictEqual(changed.status, 200, `${kind}: ${JSON.stringify(changed.body)}`)
        const { matches, unique } = await read(`resolve?kind=${kind}&name=twice%20there`)
        const ids = matches.map(({ id }: { readonly id: string }) => id)
        assert.deepStrictEqual([ids, unique], [[newer, older], false], kind)
      }
      for (const kind of ["workspace", "agent"]) {
        const twice = async () =>
          kind === "workspace"
            ? await pod.aWorkspace(pod.owner, name)
            : (await pod.owner.mutate("agents.create", { name })).body.result.data.id
        const [older, newer] = [await twice(), await twice()]
        const { matches } = await read(`resolve?kind=${kind}&name=twice%20there`)
        const ids = matches.map(({ id }: { readonly id: string }) => id)
        assert.deepStrictEqual(ids, [newer, older], kind)
      }
    })
  })
}
