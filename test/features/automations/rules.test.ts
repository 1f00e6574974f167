/**
 * Automation rules over REST, on each storage: how they are created, compiled, proposed and listed, and how they
 * expire.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { noClient, Reach, systemReach } from "../../../src/doors/Reach.ts"
import { AutomationRuleRecord } from "../../../src/features/automations/AutomationRule.ts"
import { AutomationRules } from "../../../src/features/automations/AutomationRules.ts"
import { keptRecord } from "../../support/keptRecord.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/rules"
const pod_ = { kind: "pod" }
const sentence = { when: "a task is created", where: "priority is high", then: "notify me" }

interface Listed {
  readonly id: string
  readonly status: string
  readonly proposalId: string | null
}

for (const [where, storage] of storages) {
  describe(`automation rules ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let other: Caller & { readonly id: string }
    let agentId: string
    let agent: Caller
    beforeAll(async () => {
      pod = await aPod(storage)
      other = await pod.aPerson()
      workspaceId = await pod.aWorkspace(pod.owner)
      const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
      agentId = made.body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const make = async (fields: Readonly<Record<string, unknown>> = {}, caller: Caller = pod.owner) => {
      const { status, body } = await caller.send("POST", path, { intent: "Tell me of tasks", scope: pod_, ...fields })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const listed = async (query = "", caller: Caller = pod.owner): Promise<ReadonlyArray<Listed>> => {
      const { status, body } = await caller.send("GET", `${path}?limit=100${query}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body.rules
    }
    const one = async (id: string, query = "") => (await listed(query)).find((rule) => rule.id === id)
    const refused = (fields: Readonly<Record<string, unknown>>, caller: Caller = pod.owner) =>
      caller.send("POST", path, { intent: "x", scope: pod_, ...fields })
    const inForce = () =>
      pod.run(
        Effect.flatMap(AutomationRules, (rules) => rules.inForce).pipe(
          Effect.provideService(
            Reach,
            systemReach("a test", pod.ownerId, [pod.ownerId], {
              operation: "test",
              requestId: "test",
              client: noClient
            })
          )
        )
      )

    describe("refused automation rules", () => {
      it("a key that may read and change automation rules can pause its owner's rule but not another person's rule with the scope `pod`, and a key that may not read rules is refused", async () => {
        const { ruleId } = await make()
        const blind = await pod.aKey(pod.owner, { grant: { permissions: ["rule.update"] } })
        assert.strictEqual((await blind.send("PATCH", `${path}/${ruleId}`, { active: false })).status, 403)
        const key = await pod.aKey(pod.owner, { grant: { permissions: ["rule.update", "rule.read"] } })
        const paused = await key.send("PATCH", `${path}/${ruleId}`, { active: false })
        assert.strictEqual(paused.status, 200, JSON.stringify(paused.body))
        assert.strictEqual((await one(ruleId))?.status, "paused")
        const { ruleId: theirs } = await make({}, other)
        assert.strictEqual((await key.send("PATCH", `${path}/${theirs}`, { active: false })).status, 404)
      })

      it("an automation rule with an unreadable clause is refused, the answer says which clause is wrong, and nothing is stored", async () => {
        const before = (await listed()).length
        for (const [clause, wrong] of [
          ["when", { when: "the moon is blue" }],
          ["where", { where: "something" }],
          ["then", { then: "dance" }]
        ] as const) {
          const { body, status } = await refused({ sentence: { ...sentence, ...wrong } })
          assert.strictEqual(status, 403, JSON.stringify(body))
          assert.deepStrictEqual([body.status, body.clause, body.reason], ["denied", clause, body.error])
          assert.include(body.error, `The ${clause.toUpperCase()} clause`)
        }
        assert.strictEqual((await listed()).length, before)
      })

      it("the pod refuses an automation rule with a past expiry, an unknown scope or an empty intent, and a workspace rule without the id of the workspace", async () => {
        for (const [fields, at] of [
          [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
          [{ expiresAt: "soon" }, "expiresAt"],
          [{ scope: { kind: "planet" } }, "scope"],
          [{ scope: { kind: "workspace" } }, "scope.workspaceId"],
          [{ intent: "   " }, "intent"]
        ] as const) {
          const { body, status } = await refused(fields)
          assert.deepStrictEqual([status, body.details?.[0]?.path.startsWith(at)], [400, true], JSON.stringify(body))
        }
      })

      it("the pod refuses an automation rule for another person's workspace, a rule in another person's name, and a rule with the id of a person as its agent", async () => {
        const there = { scope: { kind: "workspace", workspaceId } }
        assert.strictEqual((await refused(there, other)).status, 403)
        assert.strictEqual((await refused({ scope: { kind: "user", workspaceId } }, other)).status, 403)
        assert.strictEqual((await other.send("GET", `${path}?workspaceId=${workspaceId}`)).status, 403)
        for (const name of ["userId", "agentUserId"]) {
          const { body, status } = await refused({ [name]: other.id })
          assert.deepStrictEqual([status, body.code], [403, "IDENTITY_FORBIDDEN"])
        }
        assert.strictEqual((await refused({ agentUserId: pod.ownerId })).status, 400)
        assert.strictEqual((await refused({ agentUserId: pod.ownerId }, agent)).status, 400)
      })

      it("a key with a narrow grant cannot list automation rules, and a key or an agent without the permission to create automation rules cannot create a rule", async () => {
        const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["rule.read"] } })
        const list = await narrow.send("GET", path)
        assert.deepStrictEqual([list.status, list.body.code], [403, "GRANT_DOOR_UNSUPPORTED"])
        assert.strictEqual((await refused({}, narrow)).status, 403)
        const { body } = await pod.owner.mutate("agents.create", { name: "Reader" })
        const reader = await pod.aKey(pod.owner, { agentId: body.result.data.id })
        assert.strictEqual((await refused({}, reader)).status, 403)
        const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
        assert.strictEqual((await refused({}, bound)).status, 403)
      })

      it("an agent cannot propose an automation rule whose steps differ from its sentence, or a rule for a space other than the space of the proposal", async () => {
        const { ruleId } = await make({ sentence })
        const rule = (await one(ruleId)) as unknown as { rule: Record<string, unknown> }
        const { expiresAt: _, ...content } = rule.rule
        const draft = (changed: object) => ({
          targetType: "rule",
          proposalType: "create",
          data: { name: "Harmless", expiresAt: null, rule: { ...content, ...changed } }
        })
        const steps = [{ kind: "tell", agent: "everybody", text: "leave" }]
        const automation = { ...(content["automation"] as object), steps }
        const crooked = await agent.send("POST", "/api/hub/proposals", draft({ automation }))
        assert.strictEqual(crooked.status, 400, JSON.stringify(crooked.body))
        const elsewhere = draft({ scope: { kind: "workspace", workspaceId } })
        assert.strictEqual((await agent.send("POST", "/api/hub/proposals", elsewhere)).status, 400)
        const shared = await agent.send("POST", "/api/hub/proposals", { ...draft({}), workspaceId })
        assert.deepStrictEqual([shared.status, shared.body.details[0].path], [400, "scope.kind"])
        const straight = await agent.send("POST", "/api/hub/proposals", draft({}))
        assert.deepStrictEqual([straight.status, straight.body.status], [200, "pending"])
      })
    })

    it("an automation rule is stored with its compiled sentence and has exactly the documented fields", async () => {
      const automationIds = [other.id]
      const made = await make({ sentence, automationIds, expiresAt: "2999-01-01T00:00:00.000Z" })
      assert.deepStrictEqual(Object.keys(made).toSorted(), ["ruleId", "status"])
      const rule = (await one(made.ruleId)) as unknown as Record<string, unknown>
      assert.deepStrictEqual(
        { ...rule, createdAt: "" },
        {
          id: made.ruleId,
          name: "Tell me of tasks",
          approved: true,
          workspaceId: null,
          createdAt: "",
          status: "active",
          proposalId: null,
          rule: {
            intent: "Tell me of tasks",
            scope: pod_,
            factSkillId: null,
            automationIds,
            sentence: { when: "entity.task.create", where: "priority is high", then: "notify me" },
            automation: {
              trigger: { kind: "event", eventType: "entity.task.create" },
              conditions: [{ path: "priority", op: "is", value: "high" }],
              steps: [{ kind: "notify", whom: "me", text: null }]
            },
            draft: false,
            expiresAt: "2999-01-01T00:00:00.000Z"
          }
        }
      )
    })

    it("the members of a workspace see its automation rules, but only the creator of a rule with the scope `pod` or `user` sees this rule", async () => {
      const shared = await make({ scope: { kind: "workspace", workspaceId } })
      const own = await make({ scope: { kind: "user" } })
      const there = (await listed(`&workspaceId=${workspaceId}`)).map(({ id }) => id)
      assert.include(there, shared.ruleId)
      assert.notInclude(there, own.ruleId)
      const theirs = (await listed("", other)).map(({ id }) => id)
      assert.notInclude(theirs, shared.ruleId)
      assert.notInclude(theirs, own.ruleId)
    })

    it("attack: an expired automation rule is listed as expired and has no effect", async () => {
      const fields = (expiresAt: DateTime.Utc | null) => ({
        name: "Passing",
        expiresAt,
        rule: {
          intent: "Passing",
          scope: { kind: "pod" as const },
          factSkillId: null,
          automationIds: [],
          sentence: null,
          automation: null,
          draft: false
        },
        keyId: null,
        active: true
      })
      const past = await keptRecord(
        pod,
        AutomationRuleRecord,
        fields(DateTime.unsafeMake("2020-01-01T00:00:00Z")),
        pod.ownerId
      )
      const lasting = await keptRecord(pod, AutomationRuleRecord, fields(null), pod.ownerId)
      assert.strictEqual((await one(past))?.status, "expired")
      assert.strictEqual((await one(lasting))?.status, "active")
      const applied = (await inForce()).map(({ id }) => id)
      assert.include(applied, lasting)
      assert.notInclude(applied, past)
    })

    it("until a person approves an agent's automation rule, the rule has no effect and is listed only if the request asks for proposed rules", async () => {
      const asked = await make({ sentence, reasoning: "You asked twice." }, agent)
      assert.strictEqual(asked.status, "proposed")
      assert.isUndefined(await one(asked.proposedId))
      for (const flag of ["true", "1"]) {
        const rule = (await one(asked.proposedId, `&includeProposed=${flag}`)) as unknown as Record<string, unknown>
        assert.deepInclude(rule, { status: "proposed", approved: false, proposalId: asked.proposalId })
        assert.deepInclude(rule["rule"], { intent: "Tell me of tasks", expiresAt: null })
      }
      assert.isUndefined(await one(asked.proposedId, "&includeProposed=0"))
      assert.strictEqual((await pod.owner.send("GET", `${path}?includeProposed=yes`)).status, 400)
      assert.notInclude(
        (await inForce()).map(({ id }) => id),
        asked.proposedId
      )
      const approval = await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {})
      assert.strictEqual(approval.status, 200, JSON.stringify(approval.body))
      assert.deepInclude(await one(asked.proposedId, "&includeProposed=true"), { status: "active", proposalId: null })
      assert.include(
        (await inForce()).map(({ id }) => id),
        asked.proposedId
      )
    })

    it("attack: the actor of an agent's automation rule is the agent, even if the request contains another actor and a person approves the rule", async () => {
      const asked = await make({ userId: pod.ownerId, agentUserId: agentId }, agent)
      await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {})
      const { body } = await pod.owner.query("events.list", { type: "rule.create", limit: 100 })
      const events: ReadonlyArray<{ subjectId: string; actorId: string; userId: string }> = body.result.data
      const event = events.find(({ subjectId }) => subjectId === asked.proposedId)
      assert.deepStrictEqual([event?.actorId, event?.userId], [agentId, pod.ownerId])
      const { ruleId } = await make({ userId: "" })
      const own = (await pod.owner.query("events.list", { type: "rule.create", limit: 100 })).body.result.data
      assert.strictEqual(own.find(({ subjectId }: { subjectId: string }) => subjectId === ruleId).actorId, pod.ownerId)
    })

    it("the pages of an automation rule listing show each rule and each proposed rule once, newest first, both with a cursor and with an offset", async () => {
      const person = await pod.aPerson()
      const { body } = await person.mutate("agents.create", { name: "Eager", capabilities: ["*"] })
      const eager = await pod.aKey(person, { agentId: body.result.data.id })
      const expected: Array<string> = []
      for (let at = 0; at < 9; at++) {
        const made = await make({ intent: `rule ${at}` }, at % 3 === 1 ? eager : person)
        expected.unshift(made.status === "proposed" ? made.proposedId : made.ruleId)
      }
      const found: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const answer = await person.send("GET", `${path}?limit=2&includeProposed=true${more}`)
        found.push(...answer.body.rules.map(({ id }: Listed) => id))
        cursor = answer.headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(found, expected)
      for (let offset = 0; offset < 10; offset++) {
        const answer = await person.send("GET", `${path}?limit=2&includeProposed=true&offset=${offset}`)
        assert.deepStrictEqual(
          answer.body.rules.map(({ id }: Listed) => id),
          expected.slice(offset, offset + 2)
        )
      }
      assert.strictEqual((await person.send("GET", `${path}?limit=101`)).status, 400)
    })
  })
}
