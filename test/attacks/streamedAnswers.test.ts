/**
 * Attacks: a person reads on, although the person has lost the role with which the pod began to stream an answer of the
 * language model. The answer is made from records that the person may no longer read.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aChatScene, type ChatScene, chatScopes, streamed } from "../support/chatScene.ts"
import { aColleague, takeRole } from "../support/membership.ts"
import { replies } from "../support/modelStub.ts"
import { onOneStorage } from "../support/storages.ts"
import { anEntity } from "./attackScene.ts"

const question = "What do we know about the harbour contract?"
const streams = {
  "/v1/chat/completions": { messages: [{ role: "user", content: question }], stream: true },
  "/api/external/chat/stream": { query: question }
}

onOneStorage("attack: a person loses a role while the pod streams an answer", (storage) => {
  let scene: ChatScene
  let workspaceId: string
  beforeAll(async () => {
    scene = await aChatScene(storage)
    workspaceId = await scene.pod.aWorkspace(scene.pod.owner, "Harbour")
    await anEntity(scene.pod.owner, { title: "Harbour contract", description: "It ends in June.", workspaceId })
  }, 60_000)
  afterAll(() => scene?.stop())

  for (const [path, body] of Object.entries(streams)) {
    it(`attack: if a person leaves a workspace while the model writes an answer of ${path}, the pod ends the answer with a refusal and stores nothing`, async () => {
      const { pod, stub } = scene
      const member = await aColleague(pod, storage, workspaceId, "editor", `leaving${uuidv7()}`)
      const key = await pod.aKey(member, { scope: [...chatScopes, "hub-protocol.write"] })
      stub.reply(replies.stalling)
      const answer = streamed(pod.baseUrl, key, path, body)
      await stub.askedTimes(1)
      assert.include(JSON.stringify(stub.asked()), "It ends in June.")
      await takeRole(pod, storage, member.id, workspaceId)
      await stub.released()
      const { frames, text } = await answer
      // The stores in memory end the calls of a person who loses a role as those of a revoked credential.
      assert.match(text, /access rights changed|stopped being valid/)
      assert.notInclude(frames, "[DONE]")
      assert.strictEqual(stub.asked().length, 1)
      assert.deepStrictEqual((await member.send("GET", "/api/hub/threads")).body.items ?? [], [])
    })
  }
})
