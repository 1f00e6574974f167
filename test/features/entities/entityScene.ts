/**
 * Prepares the test suites about entities. Creates a pod, a workspace of the owner of the pod, another person, and an
 * agent of the owner. Each write of the agent needs approval.
 */
import { afterAll, assert, beforeAll, describe } from "@effect/vitest"
import { mcp } from "../../doors/surfaces.ts"
import { type Answer, aPod, type Caller, type Storage, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

export interface Scene {
  readonly pod: TestPod
  readonly owner: Caller
  readonly other: Caller
  readonly agent: Caller
  readonly agentId: string
  readonly workspaceId: string
}

const aScene = async (storage: Storage): Promise<Scene> => {
  const pod = await aPod(storage)
  const made = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
  const agentId = made.body.result.data.id as string
  const workspaceId = await pod.aWorkspace(pod.owner)
  return {
    pod,
    owner: pod.owner,
    other: await pod.aPerson(),
    agent: await pod.aKey(pod.owner, { agentId }),
    agentId,
    workspaceId
  }
}

/** Runs the suite on each storage, each with its own pod. */
export const onEachPod = (noun: string, suite: (scene: () => Scene) => void): void => {
  for (const [where, storage] of storages) {
    describe(`${noun} ${where}`, () => {
      let scene: Scene | undefined
      beforeAll(async () => {
        scene = await aScene(storage)
      })
      afterAll(() => scene?.pod.stop())
      suite(() => scene ?? assert.fail("there is no pod"))
    })
  }
}

/** Asserts that the answer has this status. Returns its body. */
export const expectStatus = async (status: number, asked: Promise<Answer>) => {
  const answer = await asked
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

/** Asserts a refusal (403 or 409) with this code. Returns its body. */
export const expectRefusal = async (code: string, asked: Promise<Answer>) => {
  const { body, status } = await asked
  assert.isTrue(status === 403 || status === 409, `${status} ${JSON.stringify(body)}`)
  // An answer of the procedure bridge has the code in `error.data.reason`.
  assert.strictEqual(body.code ?? body.error.data.reason, code, JSON.stringify(body))
  return body
}

/** Returns the paths of the faults in an answer with status 400. */
export const faultsOf = async (asked: Promise<Answer>): Promise<ReadonlyArray<string>> => {
  const body = await expectStatus(400, asked)
  return body.details.map((fault: { readonly path: string }) => fault.path)
}

const hub = "/api/hub"

export const createEntity = (caller: Caller, draft: object) => caller.send("POST", `${hub}/entities`, draft)
export const changeEntity = (caller: Caller, id: string, body: object) =>
  caller.send("PATCH", `${hub}/entities/${id}`, body)
export const getEntity = (caller: Caller, id: string) => caller.send("GET", `${hub}/entities/${id}`)
export const approveProposal = (caller: Caller, proposalId: string, approval: object = {}) =>
  caller.send("POST", `${hub}/proposals/${proposalId}/approve`, approval)
export const createProfile = (caller: Caller, draft: object) => caller.send("POST", `${hub}/profiles`, draft)
export const defineProperty = (caller: Caller, draft: object) => caller.send("POST", `${hub}/property-defs`, draft)

export const builtInTaskId = "00000000-0000-7000-8000-000000000005"

/** Calls an MCP tool. Returns its structured content, or the parsed details of its refusal. */
export const tool = async (caller: Caller, name: string, args: object) => {
  const { message } = await mcp(caller, "tools/call", { name, arguments: args })
  const { content, isError, structuredContent } = message.result ?? assert.fail(JSON.stringify(message))
  return isError === true ? JSON.parse(content[1]?.text ?? "{}") : structuredContent
}
