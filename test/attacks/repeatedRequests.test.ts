/**
 * Attacks on requests that are repeated with the same idempotency key. The repetition comes from another credential,
 * after the credential was revoked, after the record has changed, or after the first request became a proposal.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { mcp } from "../doors/surfaces.ts"
import { aColleague, setRole, takeRole } from "../support/membership.ts"
import type { Answer, Caller } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import {
  anAttackScene,
  anEntity,
  type AttackScene,
  assertOk,
  assertRefused,
  eventsOf,
  procedureData
} from "./attackScene.ts"

const callers = [0, 1, 2, 3]

onOneStorage("attacks with repeated requests", (storage) => {
  let scene: AttackScene
  beforeAll(async () => void (scene = await anAttackScene(storage)), 60_000)
  afterAll(() => scene?.pod.stop())

  const once = () => ({ "idempotency-key": uuidv7() })
  const isReplay = ({ headers }: Answer) => headers.get("x-idempotent-replay") === "true"
  const created = (by: Caller, title: string, headers: Readonly<Record<string, string>>) =>
    by.send("POST", "/api/hub/tracks", { name: title }, headers)
  const countOf = async (name: string) => {
    const tracks: ReadonlyArray<{ readonly name: string }> = assertOk(
      await scene.owner.send("GET", "/api/hub/tracks?limit=200")
    )
    return tracks.filter((track) => track.name === name).length
  }
  const eventCount = async (subjectId: string) =>
    (await eventsOf(scene.owner)).filter((event) => event.subjectId === subjectId).length

  it("a revoked key gets 401 for a request that it repeats, and the answer shows nothing of the first answer", async () => {
    const headers = once()
    const key = await scene.pod.aKey(scene.owner)
    const { id } = assertOk(await created(key, "Of a dead key", headers))
    procedureData(await scene.owner.mutate("apiKeys.revoke", { keyId: key.id }))
    const again = await created(key, "Of a dead key", headers)
    assertRefused(again, 401)
    assert.notInclude(JSON.stringify(again.body), id)
    assert.strictEqual(await countOf("Of a dead key"), 1)
  })

  it("if a key is revoked while several equal requests of this key run, the requests create at most one record, and each request gets the record or 401", async () => {
    for (const round of callers) {
      const name = `Revoked meanwhile ${round}`
      const headers = once()
      const key = await scene.pod.aKey(scene.owner)
      const [revoked, ...answers] = await Promise.all([
        scene.owner.mutate("apiKeys.revoke", { keyId: key.id }),
        ...callers.map(() => created(key, name, headers))
      ])
      procedureData(revoked)
      const ids = new Set<string>()
      for (const { body, status } of answers) {
        if (status === 200) ids.add(body.id)
        else assert.strictEqual(status, 401, JSON.stringify(body))
      }
      assert.isAtMost(ids.size, 1)
      assert.isAtLeast(await countOf(name), ids.size)
      assert.isAtMost(await countOf(name), 1)
    }
  })

  it("if a person repeats a request with another credential, the pod does not return the stored answer of the first request, and treats the request as a new one", async () => {
    const headers = once()
    const keys = [await scene.pod.aKey(scene.owner), await scene.pod.aKey(scene.owner)]
    const answers = await Promise.all(keys.map((key) => created(key, "Of two keys", headers)))
    assert.strictEqual(new Set(answers.map((answer) => assertOk(answer).id)).size, 2)
    assert.isFalse(answers.some(isReplay))
  })

  it("if equal requests of an agent come at the same moment, they become one proposal, and every answer contains the id of this proposal", async () => {
    const headers = once()
    const draft = { name: "Proposed once", workspaceId: scene.workspaceId }
    const answers = await Promise.all(callers.map(() => scene.agent.send("POST", "/api/hub/tracks", draft, headers)))
    const ids = new Set(answers.map((answer) => assertOk(answer).proposalId as string))
    assert.strictEqual(ids.size, 1)
    assert.strictEqual(await eventCount([...ids][0]), 1)
    assert.lengthOf(
      answers.filter((answer) => !isReplay(answer)),
      1
    )
  })

  it("if a person repeats an approval with the same idempotency key, even at the same moment, the pod applies the change once, and all answers are equal", async () => {
    const asked = assertOk(
      await scene.agent.send("POST", "/api/hub/tracks", { name: "Approved once", workspaceId: scene.workspaceId })
    )
    const headers = once()
    const approve = () => scene.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {}, headers)
    const answers = [...(await Promise.all(callers.map(approve))), await approve()]
    assert.strictEqual(new Set(answers.map((answer) => JSON.stringify(assertOk(answer)))).size, 1)
    assert.strictEqual(await eventCount(asked.proposedId), 1)
  })

  it("a repeated request gets the first answer even if the record was deleted in between, and creates no second record", async () => {
    const headers = once()
    const first = assertOk(await created(scene.owner, "Deleted in between", headers))
    assertOk(await scene.owner.send("DELETE", `/api/hub/tracks/${first.id}`))
    const again = await created(scene.owner, "Deleted in between", headers)
    assert.deepStrictEqual(assertOk(again), first)
    assert.isTrue(isReplay(again))
    assert.strictEqual(await countOf("Deleted in between"), 0)
  })

  it("if the pod refuses a request because its `slug` is taken, a repetition with the same idempotency key succeeds after the `slug` is free", async () => {
    const headers = once()
    const slug = "repeated"
    const draft = { slug, displayName: "Repeated" }
    const first = assertOk(await scene.owner.send("POST", "/api/hub/relation-defs", draft))
    assertRefused(await scene.owner.send("POST", "/api/hub/relation-defs", draft, headers), 409, "SLUG_TAKEN")
    assertOk(await scene.owner.send("DELETE", `/api/hub/relation-defs/${first.id}`))
    assertOk(await scene.owner.send("POST", "/api/hub/relation-defs", draft, headers))
  })

  it("a query with an idempotency key never gets an earlier answer, so a member who was removed from a workspace no longer reads its records, over REST and tRPC", async () => {
    const { owner, pod, workspaceId } = scene
    const { id } = await anEntity(owner, { title: "Only for members", workspaceId })
    for (const path of ["entities", "trpc/entities.getEntities"]) {
      const member = await aColleague(pod, storage, workspaceId, "viewer", `reader-of-${path.length}`)
      const key = await pod.aKey(member)
      const read = () => key.send("GET", `/api/hub/${path}`, undefined, { "idempotency-key": "repeated-read" })
      assert.include(JSON.stringify(assertOk(await read())), id)
      // Each change of the role makes the cached access outdated, so the pod runs the next call a second time.
      await setRole(pod, storage, member.id, workspaceId, "editor")
      assert.include(JSON.stringify(assertOk(await read())), id)
      await takeRole(pod, storage, member.id, workspaceId)
      const last = await read()
      assert.notInclude(JSON.stringify(assertOk(last)), id)
      assert.isFalse(isReplay(last))
    }
  })

  it("if several tool calls with one idempotency key come at the same moment, one call creates the document, and the other answers say that it already exists", async () => {
    const key = await scene.pod.aKey(scene.owner)
    const input = { title: "By a tool", content: "A text.", idempotencyKey: uuidv7() }
    const answers = await Promise.all(
      callers.map(() => mcp(key, "tools/call", { name: "svc_create_document", arguments: input }))
    )
    const documents = answers.map(({ message }) => {
      const content: Readonly<Record<string, any>> = message.result?.structuredContent ?? {}
      const { document, isKnown } = content
      return { id: document.id as string, isKnown: isKnown as boolean }
    })
    assert.strictEqual(new Set(documents.map(({ id }) => id)).size, 1)
    assert.lengthOf(
      documents.filter(({ isKnown }) => !isKnown),
      1
    )
    assert.strictEqual(await eventCount(documents[0].id), 1)
  })
})
