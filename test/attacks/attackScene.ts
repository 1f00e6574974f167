/**
 * The scene for the attacks: a person with a workspace and an agent, a second person as the victim, and the event log.
 */
import { assert } from "@effect/vitest"
import { aPod, type Answer, type Caller, type Storage, type TestPod } from "../support/pod.ts"

export const assertOk = ({ body, status }: Answer) => {
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

/** Returns the id of the proposal that a write became. Fails if the write did not become a proposal. */
export const assertProposed = (answer: Answer): string => {
  const body = assertOk(answer)
  assert.strictEqual(body.status, "proposed", JSON.stringify(body))
  return body.proposalId
}

/** Returns the data in the answer of a procedure. Fails if the answer is not a success. */
export const procedureData = (answer: Answer) => assertOk(answer).result.data

export const assertRefused = ({ body, status }: Answer, expected: number, code?: string) => {
  assert.strictEqual(status, expected, JSON.stringify(body))
  if (code !== undefined) assert.strictEqual(body.code, code)
  return body
}

export interface AttackScene {
  readonly pod: TestPod
  readonly owner: Caller
  readonly victim: Caller & { readonly id: string }
  readonly workspaceId: string
  readonly agentId: string
  /**
   * The key of an agent. The agent may propose every kind of change, in the person's own space and in the workspace.
   */
  readonly agent: Caller & { readonly id: string; readonly secret: string }
}

export const anAttackScene = async (storage: Storage): Promise<AttackScene> => {
  const pod = await aPod(storage)
  const { owner } = pod
  const victim = await pod.aPerson("victim@example.com")
  const workspaceId = await pod.aWorkspace(owner, "Ours")
  const agentId = procedureData(await owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] }))
    .id as string
  assertOk(await owner.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
  return { pod, owner, victim, workspaceId, agentId, agent: await pod.aKey(owner, { agentId }) }
}

/** Creates a record at a path below `/api/hub` and returns it. */
export const createRecord = async (caller: Caller, path: string, body: object) =>
  assertOk(await caller.send("POST", `/api/hub/${path}`, body)) as { readonly id: string }

export const anEntity = (caller: Caller, fields: object = {}) =>
  createRecord(caller, "entities", { title: "Plan", profileSlug: "note", ...fields })

interface WrittenEvent {
  readonly id: string
  readonly type: string
  readonly subjectId: string
  readonly actorId: string
  readonly userId: string
}

/** Returns all events that a person can see, newest first. */
export const eventsOf = async (person: Caller): Promise<ReadonlyArray<WrittenEvent>> =>
  procedureData(await person.query("events.list", { limit: 100 }))

/** Returns the number of proposals that a person can see, of any status. */
export const proposalCount = async (person: Caller): Promise<number> =>
  assertOk(await person.send("GET", "/api/hub/proposals?status=all&limit=1")).total
