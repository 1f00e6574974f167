/** Makes agents and their proposals for tests of the console. */
import { assert } from "vitest"
import type { Answer, Caller, TestPod } from "../support/pod.ts"

export const ok = ({ body, status }: Answer) => {
  assert.isTrue(status >= 200 && status < 300, JSON.stringify(body))
  return body
}

export interface ProposingAgent {
  readonly id: string
  readonly caller: Caller
  /** Proposes a change of a record. Returns the id of the proposal. */
  readonly change: (recordId: string, fields: object) => Promise<string>
  /** Proposes a new note. Returns the id of the proposal. */
  readonly create: (fields: object) => Promise<string>
}

export const anAgent = async (pod: TestPod, name: string): Promise<ProposingAgent> => {
  const id = ok(await pod.owner.mutate("agents.create", { name, capabilities: ["*"] })).result.data.id as string
  const caller = await pod.aKey(pod.owner, { agentId: id })
  const proposed = async (answer: Promise<Answer>) => {
    const body = ok(await answer)
    assert.strictEqual(body.status, "proposed", JSON.stringify(body))
    return body.proposalId as string
  }
  return {
    id,
    caller,
    change: (recordId, fields) =>
      proposed(caller.send("PATCH", `/api/hub/entities/${recordId}`, { reasoning: "It is clearer.", ...fields })),
    create: (fields) =>
      proposed(caller.send("POST", "/api/hub/entities", { title: "A note", profileSlug: "note", ...fields }))
  }
}

export const aNote = async (pod: TestPod, fields: object = {}): Promise<string> =>
  ok(
    await pod.owner.send("POST", "/api/hub/entities", {
      title: "Plan",
      description: "Meet on Monday.\nBring the map.\nLeave at noon.",
      profileSlug: "note",
      ...fields
    })
  ).id

export const recordOf = async (pod: TestPod, id: string) => ok(await pod.owner.send("GET", `/api/hub/entities/${id}`))
export const proposalOf = async (pod: TestPod, id: string) =>
  ok(await pod.owner.send("GET", `/api/hub/proposals/${id}`))

/** Rejects every waiting proposal, so that a test begins with an empty inbox. */
export const emptyInbox = async (pod: TestPod): Promise<void> => {
  const { proposals } = ok(await pod.owner.send("GET", "/api/hub/proposals?view=basic&limit=200"))
  for (const { id } of proposals) ok(await pod.owner.send("POST", `/api/hub/proposals/${id}/reject`, {}))
}

/** Sends the owner a message about a new workspace. The owner gets a notification with this text. */
export const post = async (pod: TestPod, content: string): Promise<void> => {
  const { id: userId } = ok(await pod.owner.send("GET", "/api/hub/users/me"))
  const workspaceId = await pod.aWorkspace(pod.owner)
  ok(await pod.owner.send("POST", "/api/hub/proactive/post", { userId, workspaceId, content, proactiveType: "nudge" }))
}
