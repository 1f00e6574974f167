/**
 * Tests what the caller gets if the caller loses access while the model writes an answer: the key is revoked, or the
 * person is suspended or removed from the workspace.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Revocations } from "../../src/doors/Revocations.ts"
import { aColleague, takeRole } from "../support/membership.ts"
import { aModelStub, type ModelStub, replies } from "../support/modelStub.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { onEachStorage } from "../support/storages.ts"
import { assertOk } from "./attackScene.ts"

onEachStorage("attack: an answer that the model is writing when the caller loses access", (storage) => {
  let pod: TestPod
  let stub: ModelStub
  beforeAll(async () => {
    stub = await aModelStub()
    pod = await aPod(storage, {
      languageModelUrl: Option.some(stub.url),
      languageModelName: Option.some("small")
    })
  })
  afterAll(async () => {
    await pod?.stop()
    await stub?.stop()
  })

  const asking = async () => {
    const person = await pod.aPerson()
    const key = await pod.aKey(person)
    assertOk(await person.send("POST", "/api/hub/entities", { title: "The secret crane", profileSlug: "note" }))
    stub.reply(replies.silent)
    const answer = key.send("POST", "/api/hub/knowledge/answer", { question: "crane" })
    await stub.askedTimes(1)
    return { person, key, answer }
  }

  it("if a key is revoked while the model writes an answer, the key gets neither the answer nor the sources, and the pod ends the call to the model", async () => {
    const { answer, key, person } = await asking()
    assertOk(await person.mutate("apiKeys.revoke", { keyId: key.id }))
    const { body, status } = await answer
    assert.strictEqual(status, 401, JSON.stringify(body))
    assert.notInclude(JSON.stringify(body), "crane")
    await stub.released()
  })

  it("if a member is removed from a workspace while the model writes an answer, the member gets no text from this workspace", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const member = await aColleague(pod, storage, workspaceId, "editor", "removed")
    const note = { title: "The secret crane", profileSlug: "note", workspaceId }
    assertOk(await pod.owner.send("POST", "/api/hub/entities", note))
    let finish = () => {}
    const saying = replies.saying("The secret crane [1].", 10)
    stub.reply((...replyArguments) => {
      finish = () => saying(...replyArguments)
    }, saying)
    const answer = member.send("POST", "/api/hub/knowledge/answer", { question: "crane" })
    await stub.askedTimes(1)
    await takeRole(pod, storage, member.id, workspaceId)
    finish()
    // With the store in memory the call fails. With SQL the answer comes from the records that the member may still
    // read.
    const { body, status } = await answer
    assert.include([200, 401], status)
    assert.notInclude(JSON.stringify(body), "secret crane")
  })

  it("if a person is suspended while the model writes an answer, the person's key gets neither the answer nor the sources", async () => {
    const { answer, person } = await asking()
    assertOk(await pod.owner.send("PATCH", `/api/hub/people/${person.id}`, { isSuspended: true }))
    const { body, status } = await answer
    assert.strictEqual(status, 401, JSON.stringify(body))
    assert.notInclude(JSON.stringify(body), "crane")
    await stub.released()
  })

  it("if a pod learns of a person's suspension only after the suspension has ended, a running call of this person still gets its answer", async () => {
    const { answer, person } = await asking()
    stub.reply(replies.saying("The secret crane [1].", 10))
    // A pod makes this call when a NOTIFY message of PostgreSQL tells the pod about a suspension. The message can
    // arrive after the suspension has ended. In this test the person is not suspended at all.
    await pod.run(Effect.map(Revocations, (revocations) => revocations.end(person.id)))
    const { body, status } = await answer
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.include(JSON.stringify(body), "crane")
  })
})
