/**
 * Random keys on one pod: every listing, every read and every write gives exactly the result that the model expects.
 */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { afterAll, beforeAll } from "vitest"
import { aPod, type Caller, everyScope, type Storage, type TestPod } from "../support/pod.ts"
import { onOneDatabase } from "../support/storages.ts"
import { aStoredKey } from "./callers.ts"
import { permission } from "./generators.ts"
import { expectedWrite } from "./ladderModel.ts"
import {
  type ListingQuery,
  doorAnswer,
  type Credential,
  expectedListing,
  type Row,
  canSee,
  type Target
} from "./model.ts"
import { type Approach, ask, type CallResult } from "./surfaces.ts"
import { allApproaches } from "./walk.ts"
import { aRow, aWorld, type World, type WorldAgent, worldKinds } from "./world.ts"

/**
 * Describes a caller by numbers instead of ids. The ids of the world (the pod with all its rows) are known only after
 * the world is made.
 */
interface Draw {
  readonly isSession: boolean
  readonly permissions: ReadonlyArray<string> | null
  readonly workspaces: ReadonlyArray<number> | null
  readonly projects: ReadonlyArray<number> | null
  readonly rows: ReadonlyArray<number> | null
  readonly boundTo: number | null
  /** The number of the agent that holds the key. Null means that the person holds the key. */
  readonly agent: number | null
  readonly asked: { readonly kind?: string; readonly workspace?: number; readonly project?: number } & Pick<
    ListingQuery,
    "scope" | "includePodWide"
  >
  readonly written: { readonly row: number; readonly place: number; readonly kind: string; readonly project: number }
}

const rowCount = 21 // There are rows of three kinds in each of seven places.
const among = (count: number) => fc.subarray(Array.from({ length: count }, (_, at) => at))
const sometimes = <A>(arbitrary: fc.Arbitrary<A>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const draw: fc.Arbitrary<Draw> = fc.record({
  isSession: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  permissions: fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 9, arbitrary: fc.array(permission, { maxLength: 3 }) }
  ),
  workspaces: sometimes(among(5)),
  projects: sometimes(among(2)),
  rows: sometimes(among(rowCount)),
  boundTo: sometimes(fc.nat(4)),
  agent: fc.option(fc.nat(2), { nil: null, freq: 2 }),
  asked: fc.record(
    {
      kind: fc.constantFrom(...worldKinds),
      workspace: fc.nat(4),
      project: fc.nat(1),
      scope: fc.constantFrom("pod" as const, "workspace" as const, "all" as const),
      includePodWide: fc.constantFrom("true" as const, "false" as const)
    },
    { requiredKeys: [] }
  ),
  written: fc.record({
    row: fc.nat(rowCount - 1),
    place: fc.nat(5),
    kind: fc.constantFrom(...worldKinds),
    project: fc.nat(2)
  })
})

/**
 * Describes an agent whose key has full access. The agent writes a note in the personal space of the person who owns
 * it.
 */
const anAgentAtHome = (agent: number): Draw => ({
  isSession: false,
  permissions: ["*"],
  workspaces: null,
  projects: null,
  rows: null,
  boundTo: null,
  agent,
  asked: {},
  written: { row: agent, place: 0, kind: "note", project: 2 }
})

interface Arrived {
  readonly caller: Caller
  readonly credential: Credential
  readonly agent: WorldAgent | undefined
}

/** True when the write was carried out and did not become a proposal. */
const isDone = ({ body, verdict }: CallResult) =>
  verdict === "answered" && (body as { readonly status?: unknown }).status !== "proposed"

const idsIn = (body: unknown): ReadonlyArray<string> => {
  const found = body as { readonly entities?: unknown; readonly result?: { readonly data: unknown } }
  const list = (Array.isArray(body) ? body : (found.entities ?? found.result?.data)) as ReadonlyArray<{ id: string }>
  return list.map(({ id }) => id).toSorted()
}

const suite = (storage: () => Storage, numRuns: number) => {
  let pod: TestPod
  let world: World
  let ways: ReadonlyArray<Approach>
  /** The rows as they are now. Each successful write changes this list. */
  let rows: ReadonlyArray<Row>
  const outcomes = new Set<string>()
  let titles = 0
  beforeAll(async () => {
    const kept = storage()
    pod = await aPod(kept)
    world = await aWorld(pod, kept)
    rows = world.rows
    ways = await allApproaches(pod, false)
  })
  afterAll(() => pod.stop())

  const way = (name: string, place: Approach["place"]) =>
    ways.find((each) => each.operation.name === name && each.place === place)!

  /** Returns a project of a workspace, or of the person's own space. */
  const projectAt = (workspace: number | undefined, project: number) =>
    world.projectIdsIn.get(workspace === undefined ? world.person.id : world.workspaceIds[workspace])![project]

  const arrive = async (drawn: Draw): Promise<Arrived> => {
    if (drawn.isSession) return { caller: world.session, credential: { kind: "session" }, agent: undefined }
    const picked = (from: ReadonlyArray<string>, at: ReadonlyArray<number> | null) =>
      at === null ? null : at.map((one) => from[one])
    const agent = drawn.agent === null ? undefined : world.agents[drawn.agent]
    const { secret, credential } = await aStoredKey(pod, world.person.id, {
      scopes: everyScope,
      grant:
        drawn.permissions === null
          ? null
          : {
              permissions: drawn.permissions,
              workspaceIds: picked(world.workspaceIds, drawn.workspaces),
              projectIds:
                drawn.projects === null
                  ? null
                  : [...world.projectIdsIn.values()].flatMap((ids) => drawn.projects!.map((at) => ids[at])),
              entityIds: picked(
                world.rows.map(({ id }) => id),
                drawn.rows
              )
            },
      workspaceId: drawn.boundTo === null ? null : world.workspaceIds[drawn.boundTo],
      ...(agent === undefined ? {} : { agentId: agent.id, capabilities: agent.capabilities })
    })
    return { caller: pod.as({ authorization: `Bearer ${secret}` }), credential, agent }
  }

  const judge = (context: string, heard: CallResult, expected: ReturnType<typeof expectedListing>) => {
    if ("refused" in expected) return assert.strictEqual(heard.code, expected.refused, context)
    assert.strictEqual(heard.verdict, "answered", `${context}: ${JSON.stringify(heard.body)}`)
    return assert.deepStrictEqual(idsIn(heard.body), [...expected].toSorted(), context)
  }

  const readsAgree = async (caller: Caller, credential: Credential, { asked, written }: Draw) => {
    const { kind, workspace, project, scope, includePodWide } = asked
    const common = {
      ...(kind === undefined ? {} : { profileSlug: kind }),
      ...(workspace === undefined ? {} : { workspaceId: world.workspaceIds[workspace] }),
      ...(project === undefined ? {} : { projectId: projectAt(workspace, project) })
    }
    // A query with a workspace contradicts a `scope` that excludes this workspace. So no query has both.
    const further = {
      ...(scope === undefined || workspace !== undefined ? {} : { scope }),
      ...(includePodWide === undefined ? {} : { includePodWide })
    }
    const inRest = {
      path: { userId: world.person.id },
      query: { ...common, ...further, limit: "1000" },
      body: undefined
    }
    const inJson = { ...common, limit: 1000 }
    const { person } = world
    for (const name of ["entities.list", "entities.listOfUser"]) {
      const heard = await ask(caller, way(name, "rest"), inRest)
      judge(name, heard, expectedListing(credential, person, rows, { ...common, ...further }))
    }
    if (credential.kind === "session") {
      const heard = await ask(caller, way("entities.getEntities", "session"), inJson)
      judge("/trpc", heard, expectedListing(credential, person, rows, common))
    } else {
      const onBridge = await ask(caller, way("entities.getEntities", "bridge"), inJson)
      judge("the bridge", onBridge, expectedListing(credential, person, rows, common))
      const onMcp = await ask(caller, way("svc_get_entities", "mcp"), inJson)
      judge("MCP", onMcp, expectedListing(credential, person, rows, common))
    }
    const missing = await ask(caller, way("entities.get", "rest"))
    for (const row of rows.filter((_, at) => at % 3 === written.row % 3)) {
      const heard = await ask(caller, way("entities.get", "rest"), { path: { id: row.id }, query: {}, body: undefined })
      if (canSee(credential, person, row)) assert.strictEqual(heard.verdict, "answered", row.id)
      else assert.deepStrictEqual(heard, missing, "a row out of reach must get exactly the answer of a missing row")
    }
  }

  const writeAgrees = async (
    { agent, caller, credential }: Arrived,
    action: "create" | "update" | "delete",
    target: Target
  ): Promise<CallResult> => {
    const approach = way(`entities.${action}`, "rest")
    const atTheDoor = doorAnswer("rest", approach.operation.door, credential)
    const expected = atTheDoor.passes
      ? expectedWrite(credential, world.person, action, target, agent?.policyAt(target.spaceId))
      : { refused: atTheDoor.reason }
    const projectId = target.projectIds[0]
    const heard = await ask(caller, approach, {
      path: target.id === null ? {} : { id: target.id },
      query: {},
      body:
        action === "create"
          ? {
              title: "Made",
              profileSlug: target.kind,
              workspaceId: target.spaceId === world.person.id ? null : target.spaceId,
              ...(projectId === undefined ? {} : { projectId })
            }
          : // A new title each time, because an update that changes nothing is answered without a proposal.
            { title: `Changed ${++titles}` }
    })
    const isProposed = (heard.body as { readonly status?: unknown } | undefined)?.status === "proposed"
    const answered = isProposed ? "proposed" : "allowed"
    const outcome =
      heard.verdict === "refused" ? { refused: heard.code } : heard.verdict === "answered" ? answered : heard.verdict
    assert.deepStrictEqual(outcome, expected, `${action} of ${JSON.stringify(target)}`)
    outcomes.add(typeof outcome === "string" ? outcome : "refused")
    return heard
  }

  it("a caller lists on every API, and reads and writes over REST, exactly the records that the test model of the access rules expects", async () => {
    await fc.assert(
      fc.asyncProperty(draw, async (drawn) => {
        const arrived = await arrive(drawn)
        await readsAgree(arrived.caller, arrived.credential, drawn)
        const { row, place, kind, project } = drawn.written
        const about = world.rows[row]
        const isThere = rows.some(({ id }) => id === about.id)
        const made: Target = {
          id: null,
          spaceId: [world.person.id, ...world.workspaceIds][place],
          kind,
          projectIds: project === 2 ? [] : [projectAt(place === 0 ? undefined : place - 1, project)]
        }
        const created = await writeAgrees(arrived, "create", made)
        if (isDone(created)) {
          rows = [...rows, { ...made, id: (created.body as { id: string }).id }]
        }
        if (!isThere) return
        await writeAgrees(arrived, "update", about)
        const removed = await writeAgrees(arrived, "delete", about)
        if (isDone(removed)) rows = rows.filter(({ id }) => id !== about.id)
      }),
      { numRuns, examples: [[anAgentAtHome(1)], [anAgentAtHome(2)]] }
    )
    // Without proposals and successful writes this test would prove little.
    assert.includeMembers([...outcomes], ["allowed", "refused", "proposed"])
  })

  it("an agent without capabilities lists the same records as the person who owns it, and cannot write any of them", async () => {
    const { secret } = await aStoredKey(pod, world.person.id, { agentId: world.agents[0].id })
    const agent = pod.as({ authorization: `Bearer ${secret}` })
    const path = "/api/hub/entities?limit=1000"
    const [read, own] = [await agent.send("GET", path), await world.session.send("GET", path)]
    assert.deepStrictEqual(idsIn(read.body), idsIn(own.body))
    const [id] = idsIn(read.body)
    for (const [method, target, body] of [
      ["POST", "/api/hub/entities", { title: "x" }],
      ["PATCH", `/api/hub/entities/${id}`, { title: "x" }],
      ["DELETE", `/api/hub/entities/${id}`, undefined]
    ] as const) {
      const { status, body: answer } = await agent.send(method, target, body)
      assert.strictEqual(status, 403)
      assert.include(["CAPABILITY_MISSING", "WORKSPACE_FORBIDDEN"], answer.code)
    }
  })

  it("when a row is added, only keys that may read its kind can see the row", async () => {
    const made = await aRow(world.session, world.person.id, { workspaceId: null, kind: "task" })
    const [tasks, notes] = [
      await aStoredKey(pod, world.person.id, { grant: { ...open, permissions: ["entity.task.read"] } }),
      await aStoredKey(pod, world.person.id, { grant: { ...open, permissions: ["entity.note.read"] } })
    ]
    for (const [{ secret }, status] of [
      [tasks, 200],
      [notes, 404]
    ] as const) {
      const key = pod.as({ authorization: `Bearer ${secret}` })
      assert.strictEqual((await key.send("GET", `/api/hub/entities/${made.id}`)).status, status)
    }
  })
}

const open = { permissions: ["*"], workspaceIds: null, projectIds: null, entityIds: null }

describe("a pod in memory", () => suite(() => ({ kind: "memory" }), 40))
onOneDatabase((storage) => suite(storage, 12))
