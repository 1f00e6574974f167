/**
 * A proactive post and its new thread are stored in the transaction that has checked the credential. A revocation waits
 * for this transaction, so no thread follows a revocation that the pod has answered.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../../support/pod.ts"
import { database } from "../../support/storages.ts"

describe("the transaction of a proactive post", () => {
  let pod: TestPod
  beforeAll(async () => void (pod = await aPod(database)))
  afterAll(() => pod?.stop())

  // The database gives all rows of one transaction the time at which the transaction began.
  it("the pod stores the thread of the first post about a workspace and the message of the post in one transaction", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner)
    const key = await pod.aKey(pod.owner)
    const draft = { userId: pod.ownerId, workspaceId, content: "Two contracts end.", proactiveType: "nudge" }
    const { body: post } = await key.send("POST", "/api/hub/proactive/post", draft)
    assert.isTrue(post.posted, JSON.stringify(post))
    const { body: thread } = await pod.owner.send("GET", `/api/hub/threads/${post.channelId}`)
    const { body: messages } = await pod.owner.send("GET", `/api/hub/threads/${post.channelId}/messages`)
    assert.deepStrictEqual(
      messages.map(({ createdAt }: { readonly createdAt: string }) => createdAt),
      [thread.createdAt]
    )
  })
})
