/**
 * Focus sessions on a whole pod: only the person who owns a session sees the session, a space has one session for each
 * correlation id, and the pod stores the time when a session is closed.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reach } from "../../../src/doors/Reach.ts"
import { FocusSessions } from "../../../src/features/focusSessions/FocusSessions.ts"
import { aColleague } from "../../support/membership.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { aReach, type ReachOptions } from "../../support/reach.ts"
import { storages } from "../../support/storages.ts"

const nowhere = "0190a0a0-0000-7000-8000-00000000dead"

for (const [where, storage] of storages) {
  describe(`focus sessions ${where}`, () => {
    let pod: TestPod
    let workspaceId: string
    let colleague: Caller & { readonly id: string }
    let agent: Caller
    let agentId: string

    beforeAll(async () => {
      pod = await aPod(storage)
      workspaceId = await pod.aWorkspace(pod.owner)
      colleague = await aColleague(pod, storage, workspaceId, "owner", "partner")
      const capabilities = ["session.create", "session.update"]
      agentId = (await pod.owner.mutate("agents.create", { name: "Scribe", capabilities })).body.result.data.id
      agent = await pod.aKey(pod.owner, { agentId })
    })
    afterAll(() => pod?.stop())

    const begin = async (draft: Readonly<Record<string, unknown>>, caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("POST", "/api/hub/focus-sessions", { goal: "Ship it", ...draft })
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const change = async (id: string, fields: unknown, caller: Caller = pod.owner) => {
      const { body, status } = await caller.send("PATCH", `/api/hub/focus-sessions/${id}`, fields)
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    }
    const list = async (caller: Caller, query: string) => {
      const { body, status } = await caller.send("GET", `/api/hub/focus-sessions?${query}`)
      return status === 200 ? body.map(({ id }: { id: string }) => id) : status
    }

    it("attack: a person cannot find another person's focus session by workspace, by correlation id or by session id", async () => {
      const secret = await begin({ workspaceId, goal: "Secret", correlationId: "guessed" })
      assert.deepStrictEqual(await list(colleague, `workspaceId=${workspaceId}`), [])
      const theirs = await begin({ workspaceId, goal: "Theirs", correlationId: "guessed" }, colleague)
      assert.notStrictEqual(theirs.id, secret.id)
      assert.deepInclude(theirs, { goal: "Theirs", userId: colleague.id })
      assert.deepStrictEqual(await list(colleague, `workspaceId=${workspaceId}`), [theirs.id])
      const path = (id: string) => `/api/hub/focus-sessions/${id}`
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", { goal: "Mine" }]
      ] as const) {
        const there = await colleague.send(method, path(secret.id), body)
        const missing = await colleague.send(method, path(nowhere), body)
        assert.strictEqual(there.status, 404)
        assert.deepStrictEqual(there.body, missing.body)
      }
      assert.strictEqual((await pod.owner.send("GET", path(secret.id))).body.goal, "Secret")
      // The same correlation id in another space makes another session of the same person.
      assert.notStrictEqual((await begin({ correlationId: "guessed" })).id, secret.id)
      const stranger = await pod.aPerson()
      assert.strictEqual(await list(stranger, `workspaceId=${workspaceId}`), 403)
      const named = { goal: "x", workspaceId, userId: pod.ownerId }
      assert.strictEqual((await colleague.send("POST", "/api/hub/focus-sessions", named)).status, 403)
    })

    it("focus sessions are listed only if the request states a workspace that the caller can access", async () => {
      for (const query of ["", "workspaceId=", "workspaceId=here", `workspaceId=${workspaceId}&limit=0`]) {
        assert.strictEqual(await list(pod.owner, query), 400, query)
      }
      assert.strictEqual(await list(pod.owner, `workspaceId=${nowhere}`), 403)
      const bound = await pod.aKey(pod.owner, { grant: { permissions: ["*"], workspaceIds: [workspaceId] } })
      assert.strictEqual(await list(bound, `workspaceId=${pod.ownerId}`), 403)
      const elsewhere = await bound.send("POST", "/api/hub/focus-sessions", { goal: "x" })
      assert.strictEqual(elsewhere.status, 403)
    })

    it("a focus session with an invalid field, or with a channel or agent of another person, is refused", async () => {
      const foreign = await colleague.send("POST", "/api/hub/channels", {})
      const theirs = (await colleague.mutate("agents.create", { name: "Other" })).body.result.data.id
      for (const [status, draft] of [
        [400, { goal: "" }],
        [400, { goal: "x".repeat(2001) }],
        [400, { goal: "x", progress: 101 }],
        [400, { goal: "x", status: "done" }],
        [400, { goal: "x", expectedOutputs: [{ kind: "document" }] }],
        [400, { goal: "x", channelId: foreign.body.id }],
        [403, { goal: "x", agentIds: [agentId, theirs] }]
      ] as const) {
        const answer = await pod.owner.send("POST", "/api/hub/focus-sessions", draft)
        assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
      }
    })

    it("if several requests of a person for a focus session have the same `correlationId`, they create one focus session in a space, even at the same moment", async () => {
      const first = await begin({ correlationId: "same", workspaceId })
      assert.deepStrictEqual(await begin({ correlationId: "same", workspaceId, goal: "Another" }), first)
      const answers = await Promise.all(Array.from({ length: 10 }, () => begin({ correlationId: "at once" })))
      assert.lengthOf(new Set(answers.map(({ id }) => id)), 1)
    })

    it("a new focus session is active, starts at the time of its creation, and has `null` in all other fields that the request does not set", async () => {
      const channel = (await pod.owner.send("POST", "/api/hub/channels", {})).body
      const givenFields = {
        goal: "Write the report",
        expectedOutputs: [{ kind: "document", label: "Report", icon: "page" }],
        channelId: channel.id,
        agentIds: [agentId],
        progress: 12.5
      }
      const session = await begin(givenFields)
      assert.deepInclude(session, {
        ...givenFields,
        userId: pod.ownerId,
        workspaceId: null,
        status: "active",
        correlationId: null,
        templateId: null,
        closedAt: null,
        contextReport: null,
        planReport: null,
        executionLog: null,
        verificationReport: null,
        startedAt: session.createdAt
      })
      assert.deepStrictEqual((await pod.owner.send("GET", `/api/hub/focus-sessions/${session.id}`)).body, session)
    })

    it("when a person closes a focus session, the pod stores the time of the first closing, and when the person reopens the session, the pod removes the time", async () => {
      const { id } = await begin({})
      const closed = await change(id, { status: "closed", verificationReport: { passed: true } })
      assert.match(closed.closedAt, /^\d{4}-.*Z$/)
      assert.deepInclude(closed, { status: "closed", verificationReport: { passed: true } })
      assert.strictEqual((await change(id, { status: "closed" })).closedAt, closed.closedAt)
      assert.strictEqual((await change(id, { progress: 100 })).closedAt, closed.closedAt)
      assert.deepInclude(await change(id, { status: "paused" }), { status: "paused", closedAt: null })
      assert.isString((await begin({ status: "closed" })).closedAt)
    })

    it("the reports of a focus session can be any JSON that the client sends", async () => {
      const { id } = await begin({ contextReport: "In words." })
      const kept = await change(id, { planReport: ["one", { two: 2 }], executionLog: [], goal: "Still" })
      assert.deepInclude(kept, {
        contextReport: "In words.",
        planReport: ["one", { two: 2 }],
        executionLog: [],
        goal: "Still"
      })
      assert.deepInclude(await change(id, { contextReport: null }), { contextReport: null })
    })

    it("an agent's request to begin or close a focus session waits for approval by the person who owns the agent, and the session belongs to this person", async () => {
      const asked = await begin({ goal: "Proposed" }, agent)
      assert.strictEqual(asked.status, "proposed", JSON.stringify(asked))
      const approve = (proposalId: string) => pod.owner.send("POST", `/api/hub/proposals/${proposalId}/approve`, {})
      assert.strictEqual((await approve(asked.proposalId)).status, 200)
      const closing = await change(asked.proposedId, { status: "closed" }, agent)
      assert.strictEqual((await approve(closing.proposalId)).status, 200)
      const { body } = await pod.owner.send("GET", `/api/hub/focus-sessions/${asked.proposedId}`)
      assert.deepInclude(body, { goal: "Proposed", status: "closed", userId: pod.ownerId })
      assert.isString(body.closedAt)
      const { result } = (await pod.owner.query("events.list", { type: "focusSession.create" })).body
      const event = result.data.find(({ subjectId }: { subjectId: string }) => subjectId === asked.proposedId)
      assert.deepInclude(event, { actorId: agentId, userId: pod.ownerId })
    })

    it("an agent can propose neither a new correlation id for a focus session nor a closing time that contradicts the status of the session", async () => {
      const { id } = await begin({})
      const wish = (data: unknown) =>
        agent.send("POST", "/api/hub/proposals", {
          targetType: "focusSession",
          targetId: id,
          proposalType: "update",
          data
        })
      for (const data of [
        { closedAt: "2020-01-01T00:00:00.000Z" },
        { status: "closed" },
        { status: "active", closedAt: "2020-01-01T00:00:00.000Z" },
        { correlationId: "taken over" }
      ]) {
        assert.strictEqual((await wish(data)).status, 400, JSON.stringify(data))
      }
      assert.strictEqual((await wish({ progress: 5 })).body.status, "pending")
    })

    it("the pages of a focus session listing show each session once, with the latest start first, and a listing can be filtered by status", async () => {
      const workspace = await pod.aWorkspace(pod.owner)
      const begun: Array<string> = []
      for (let at = 0; at < 7; at++) begun.unshift((await begin({ workspaceId: workspace })).id)
      await change(begun[6], { status: "closed" })
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const more: string = cursor === null ? "" : `&cursor=${cursor}`
        const path: string = `/api/hub/focus-sessions?workspaceId=${workspace}&limit=3${more}`
        const { body, headers } = await pod.owner.send("GET", path)
        seen.push(...body.map(({ id }: { id: string }) => id))
        cursor = headers.get("x-svc-next-cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(seen, begun)
      assert.deepStrictEqual(await list(pod.owner, `workspaceId=${workspace}&status=closed`), [begun[6]])
    })

    it("the pod treats a focus session as the caller's own only if the caller may read it, it belongs to the caller, and it is in the requested space", async () => {
      const { id } = await begin({ workspaceId })
      const isOwn = (options: ReachOptions, spaceId?: string) =>
        pod.run(
          Effect.flatMap(FocusSessions, (sessions) => sessions.isOwn(id, spaceId)).pipe(
            Effect.provideService(Reach, aReach({ personId: pod.ownerId, spaces: [workspaceId], ...options }))
          )
        )
      assert.isTrue(await isOwn({}))
      assert.isTrue(await isOwn({}, workspaceId))
      assert.isFalse(await isOwn({}, pod.ownerId))
      assert.isFalse(await isOwn({ personId: colleague.id }))
      assert.isFalse(await isOwn({ grant: { permissions: ["entity"] } }))
    })
  })
}
