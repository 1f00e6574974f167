/** A caller cannot act as somebody else. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ledgerOf } from "../doors/ledger.ts"
import { type Approach, ask, nameOf, namesItsPerson } from "../doors/surfaces.ts"
import { type Things, makeThings } from "../doors/things.ts"
import { allApproaches } from "../doors/walk.ts"
import { aColleague } from "../support/membership.ts"
import { type Caller, openingScopes } from "../support/pod.ts"
import {
  anAttackScene,
  anEntity,
  procedureData,
  eventsOf,
  type AttackScene,
  createRecord,
  assertOk,
  assertRefused
} from "./attackScene.ts"
import { storages } from "../support/storages.ts"
import { everyNth } from "../support/everyNth.ts"
import { type Field, fieldsOf } from "./readInputs.ts"

/**
 * Fields that name the acting person or agent. The test tries every write with each of these fields, even if the
 * declaration of the write does not have the field.
 */
const identities = ["userId", "agentUserId", "ownerUserId", "actorId", "author"]

/** Inputs written by hand, for operations that refuse the generated input. */
const fitting: Readonly<Record<string, object>> = {
  "governanceRules.create": { scopeKind: "pod", targetKind: "action", targetPattern: "track.create", verdict: "auto" }
}

const isIdentity = ({ name }: Field) => identities.includes(name)

const withField = (
  way: Approach,
  input: unknown,
  { part, name }: Pick<Field, "name" | "part">,
  value: unknown
): unknown => {
  const fields = input as Readonly<Record<string, object>>
  return way.rest === undefined
    ? { ...fields, [name]: value }
    : { ...fields, [part]: { ...fields[part], [name]: value } }
}

for (const [where, storage] of storages) {
  describe(`attack: a caller pretends to be another person, ${where}`, () => {
    let ground: AttackScene
    let ways: ReadonlyArray<Approach>
    let things: Things
    let callers: Readonly<Record<string, Caller>>
    beforeAll(async () => {
      ground = await anAttackScene(storage)
      const { agent, owner, pod } = ground
      ways = (await allApproaches(pod, false)).filter(({ operation }) => operation.door._tag !== "Public")
      things = await makeThings(pod, { ...owner, id: pod.ownerId }, ways)
      callers = {
        "a session": owner,
        "a key": await pod.aKey(owner, { scope: openingScopes }),
        "an agent's key": agent
      }
      await anEntity(ground.victim, { title: "the victim's" })
    })
    afterAll(() => ground?.pod.stop())

    const of = (kind: "query" | "mutation") => ways.filter(({ operation }) => operation.kind === kind)
    const reads = () =>
      of("query").flatMap((way) =>
        fieldsOf(way)
          .filter(isIdentity)
          .map((field) => ({ way, field }))
      )
    const writes = () =>
      of("mutation").flatMap((way) =>
        identities.map((name) => ({
          way,
          field: { name, part: way.rest?.takesBody === false ? ("query" as const) : ("body" as const) }
        }))
      )
    const isForeign = (name: string, { operation, place }: Approach) =>
      place !== "rest" &&
      ((name === "a session") !== (place === "session") || (name !== "a session" && operation.door._tag === "Session"))

    it("attack: if a write contains the id of another person as its actor, the pod refuses the write, whoever calls, and stores nothing", async () => {
      const ledger = ledgerOf(ground.pod, storage)
      const inputs = new Map<Approach, unknown>()
      for (const way of of("mutation")) {
        inputs.set(way, fitting[way.operation.name] ?? (await things.inputFor(way)))
      }
      const before = await ledger.digest()
      const faults: Array<string> = []
      for (const [turn, { way, field }] of writes().entries()) {
        for (const [name, caller] of everyNth(Object.entries(callers), turn, 3)) {
          if (isForeign(name, way)) continue
          const heard = await ask(caller, way, withField(way, inputs.get(way), field, ground.victim.id))
          // In a governance rule this field names the agent that the rule is about. The agent must belong to the
          // caller, so the pod may also refuse the input as invalid.
          const isAbout = way.operation.about === field.name
          if (heard.verdict === "refused" || (isAbout && heard.verdict === "invalid")) continue
          faults.push(`${name}, ${nameOf(way)} with ${field.name}: ${heard.verdict} ${JSON.stringify(heard.body)}`)
        }
      }
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(await ledger.digest(), before)
      assert.isAbove(inputs.size, 100)
    })

    /** Matches an answer without a record: an empty list, or a page of proposals with the total 0. */
    const nothingFound = /^(\{"result":\{"data":)?(\[\]|\{"proposals":\[\],.*"total":0[,}].*)(\}\})?$/

    it("attack: a read that contains the id of another person in its path or query gets the same answer as a read with the caller's own id", async () => {
      const { owner, pod, victim } = ground
      for (const { way, field } of reads()) {
        for (const [name, caller] of Object.entries(callers)) {
          if (isForeign(name, way) || field.name === "agentUserId" || namesItsPerson.has(way.operation.name)) continue
          const input = await things.inputFor(way)
          const [own, other] = [pod.ownerId, victim.id].map((id) => ask(caller, way, withField(way, input, field, id)))
          // The answer repeats the path with the id, so the test replaces the id before it compares.
          const answerText = JSON.stringify((await other).body).replaceAll(victim.id, pod.ownerId)
          // A filter by actor finds only events that the caller may read. The other person made none of these events,
          // so the filter finds nothing.
          if (field.name === "actorId") {
            await own
            assert.match(answerText, nothingFound, `${name}, ${nameOf(way)}`)
            continue
          }
          assert.strictEqual(answerText, JSON.stringify((await own).body), `${name}, ${nameOf(way)}`)
        }
      }
      const dry = `/api/hub/workspaces/${ground.workspaceId}/governance?subjectType=track&action=create`
      const theirs = procedureData(await victim.mutate("agents.create", { name: "Theirs", capabilities: ["*"] })).id
      const answers = [theirs, victim.id].map((id) => owner.send("GET", `${dry}&agentUserId=${id}`))
      for (const answer of answers) assert.include([400, 403, 404], (await answer).status)
    })

    it("attack: if the field `author` of a write contains a name, the event still has the holder of the credential as its actor", async () => {
      const { agent, agentId, owner, pod, victim } = ground
      for (const [caller, actorId] of [
        [owner, pod.ownerId],
        [agent, agentId]
      ] as const) {
        const entry = await createRecord(caller, "knowledge", { key: `by-${actorId}`, value: 1, author: "The victim" })
        const event = (await eventsOf(owner)).find(({ subjectId }) => subjectId === entry.id)
        assert.deepStrictEqual([event?.actorId, event?.userId], [actorId, pod.ownerId])
      }
      assert.notInclude(JSON.stringify(await eventsOf(victim)), "by-")
    })

    it("attack: an `agentUserId` that is the id of a person and not of an agent is refused with 400", async () => {
      const faults: Array<string> = []
      for (const { way, field } of writes()) {
        if (field.name !== "agentUserId") continue
        const fit = fitting[way.operation.name] ?? (await things.inputFor(way))
        const input = withField(way, fit, { ...field, name: "forceCreate" }, true)
        for (const [name, caller] of Object.entries(callers)) {
          const { _tag } = way.operation.door
          const isShut = _tag === "Operator" || (name !== "a session" && _tag === "Session")
          if (isForeign(name, way) || isShut || name === "an agent's key") continue
          const { body, verdict } = await ask(caller, way, withField(way, input, field, ground.pod.ownerId))
          if (verdict !== "invalid") faults.push(`${name}, ${nameOf(way)}: ${verdict} ${JSON.stringify(body)}`)
        }
      }
      assert.deepStrictEqual(faults, [])
    })

    it("attack: an agent can read and write at most what the person who owns it can read and write, also in workspaces that other people own", async () => {
      const { pod, victim } = ground
      const theirs = await pod.aWorkspace(victim, "Theirs")
      const viewer = await aColleague(pod, storage, theirs, "viewer", "viewer")
      const agentId = procedureData(await viewer.mutate("agents.create", { name: "Eager", capabilities: ["*"] })).id
      await viewer.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId: theirs })
      procedureData(await viewer.mutate("agents.update", { agentId, writesRequireProposal: false }))
      const eager = await pod.aKey(viewer, { agentId })
      const shared = await anEntity(victim, { workspaceId: theirs, title: "shared" })
      const own = await anEntity(victim, { title: "their own" })
      const [read, hidden] = [shared, own].map(({ id }) => `/api/hub/entities/${id}`)
      assertOk(await viewer.send("GET", read))
      assertRefused(await viewer.send("PATCH", read, { title: "Mine" }), 403)
      assertRefused(await eager.send("PATCH", read, { title: "Mine" }), 403)
      assertRefused(await eager.send("POST", "/api/hub/entities", { title: "Mine", workspaceId: theirs }), 403)
      assertRefused(await eager.send("GET", hidden), 404)
      assertRefused(await ground.agent.send("GET", read), 404)
      assert.notInclude(JSON.stringify(assertOk(await eager.send("GET", "/api/hub/entities?limit=100"))), own.id)
      assert.strictEqual(assertOk(await victim.send("GET", read)).title, "shared")
    })

    it("attack: every record that an agent creates has the agent as its actor and never the person who owns the agent, even after this person approves the record", async () => {
      const { agent, agentId, owner, pod } = ground
      const creates = ways.filter(({ operation: { name }, place }) => place === "rest" && name.endsWith(".create"))
      const proven: Array<string> = []
      for (const way of creates) {
        const input = await things.inputFor(way)
        const before = new Set((await eventsOf(owner)).map(({ id }) => id))
        const { body } = await ask(agent, way, input)
        const { proposalId } = (body ?? {}) as { readonly proposalId?: string }
        if (proposalId === undefined) continue
        const approval = await owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
        if (approval.status !== 200) continue
        const written = (await eventsOf(owner)).filter(({ id }) => !before.has(id))
        // A notification about the write comes from the pod itself and is not a record of the agent.
        const byPerson = written.filter(
          ({ actorId, type }) => actorId !== agentId && type !== "proposal.approve" && type !== "notification.create"
        )
        assert.deepStrictEqual(byPerson, [], way.operation.name)
        if (written.some(({ actorId, userId }) => actorId === agentId && userId === pod.ownerId)) {
          proven.push(way.operation.name)
        }
      }
      assert.isAtLeast(proven.length, 10, proven.join())
    })
  })
}
