/**
 * Attack: an agent, a key or a session writes at one pod while its right to this write is taken away at another pod.
 * The gate has allowed the write by the former rights, and the write waits for a lock in the database. When a pod
 * answers the change of the rights, this write has ended.
 */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { withLockedEntities } from "../support/lockedEntities.ts"
import type { Answer, Caller } from "../support/pod.ts"
import { describeTwoPods } from "../support/twoPods.ts"
import { assertOk, assertProposed, procedureData } from "./attackScene.ts"

/** A caller that writes, and the change that takes away its right to write. */
interface Case {
  readonly writer: Caller
  readonly workspaceId: string
  readonly change: () => Promise<Answer>
}

describeTwoPods("attack: a caller writes while somebody takes away its right to write", (pods) => {
  const rule = (by: Caller, fields: object) =>
    by.mutate("governanceRules.create", { targetKind: "action", targetPattern: "entity.create", ...fields })

  /** Makes an agent of a new person. The agent creates entities in a new workspace without approval. */
  const anAgent = async (allowed: "by its settings" | "otherwise") => {
    const person = await pods.first.aPerson()
    const workspaceId = await pods.first.aWorkspace(person)
    const agent = { name: "Scribe", capabilities: ["*"] }
    const agentId = procedureData(await person.mutate("agents.create", agent)).id as string
    assertOk(await person.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    const change = (fields: object) => () => person.mutate("agents.update", { agentId, ...fields })
    if (allowed === "by its settings") procedureData(await change({ writesRequireProposal: false })())
    return { agentId, change, person, workspaceId, writer: await pods.first.aKey(person, { agentId }) }
  }

  const cases: Readonly<Record<string, () => Promise<Case>>> = {
    "the capabilities of the agent are removed": async () => {
      const agent = await anAgent("by its settings")
      return { ...agent, change: agent.change({ capabilities: [] }) }
    },
    "the writes of the agent need approval from now on": async () => {
      const agent = await anAgent("by its settings")
      return { ...agent, change: agent.change({ writesRequireProposal: true }) }
    },
    "the agent is suspended": async () => {
      const agent = await anAgent("by its settings")
      return { ...agent, change: agent.change({ isSuspended: true }) }
    },
    "a new rule of the workspace requires approval": async () => {
      const { person, workspaceId, writer } = await anAgent("by its settings")
      const change = () => rule(person, { scopeKind: "workspace", workspaceId, verdict: "propose" })
      return { writer, workspaceId, change }
    },
    "the rule that allowed the write is revoked": async () => {
      const { agentId, person, workspaceId, writer } = await anAgent("otherwise")
      const { id } = procedureData(await rule(person, { scopeKind: "pod", agentUserId: agentId, verdict: "auto" }))
      return { writer, workspaceId, change: () => person.mutate("governanceRules.revoke", { ruleId: id }) }
    },
    "the policy of the workspace no longer allows the write": async () => {
      const { person, workspaceId, writer } = await anAgent("otherwise")
      const policy = (autoApproveFor: ReadonlyArray<string>) =>
        person.mutate("governance.setPolicy", { workspaceId, autoApproveFor })
      procedureData(await policy(["entity.create"]))
      return { writer, workspaceId, change: () => policy([]) }
    },
    "the agent becomes a viewer of the workspace": async () => {
      const { agentId, person, workspaceId, writer } = await anAgent("by its settings")
      const path = `/api/hub/workspaces/${workspaceId}/members/${agentId}`
      return { writer, workspaceId, change: () => person.send("PATCH", path, { role: "viewer" }) }
    },
    "the proposal by which the agent joined the workspace is reverted": async () => {
      const { agentId, person, writer } = await anAgent("by its settings")
      const workspaceId = await pods.first.aWorkspace(person)
      const request = { agentUserId: agentId, workspaceId }
      const proposalId = assertProposed(await writer.send("POST", "/api/hub/workspaces/enroll-agent", request))
      assertOk(await person.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}))
      const change = () => person.send("POST", `/api/hub/proposals/${proposalId}/revert`)
      return { writer, workspaceId, change }
    },
    "the key is rotated": async () => {
      const person = await pods.first.aPerson()
      const writer = await pods.first.aKey(person)
      const change = () => person.mutate("apiKeys.rotate", { keyId: writer.id })
      return { writer, workspaceId: await pods.first.aWorkspace(person), change }
    },
    "the session signs out": async () => {
      const writer = await pods.first.aPerson()
      const change = () => writer.send("POST", "/auth/sign-out")
      return { writer, workspaceId: await pods.first.aWorkspace(writer), change }
    }
  }

  /** The number of writes that wait at the same moment. A pod lends only a few connections to waiting writes. */
  const atOnce = 5

  it("after a pod has answered a change that takes away a caller's right to write, no write of this caller that waited for a lock is stored", async () => {
    const names = Object.keys(cases)
    for (let from = 0; from < names.length; from += atOnce) {
      const all: Array<Case & { readonly name: string; readonly title: string }> = []
      for (const name of names.slice(from, from + atOnce)) {
        all.push({ name, title: `Late: ${name}`, ...(await cases[name]()) })
      }
      await withLockedEntities(pods.url, async (locked) => {
        const writes = all.map(({ title, workspaceId, writer }) =>
          pods.second.as(writer.headers).send("POST", "/api/hub/entities", { title, profileSlug: "note", workspaceId })
        )
        await locked.untilWaiting(all.length)
        await locked.untilWaitingOnPool()
        const began = await locked.now()
        const waiting = await Promise.all(
          all.map(async ({ change, name }) => {
            const answer = await change()
            assert.strictEqual(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`)
            return [name, await locked.waiting(began)] as const
          })
        )
        assert.deepStrictEqual(
          waiting.filter(([, count]) => count > 0).map(([name]) => name),
          [],
          "the pod answered these changes before the writes had ended"
        )
        await locked.release()
        for (const answer of await Promise.all(writes)) assert.include([401, 503], answer.status)
        for (const { name, title } of all) assert.strictEqual(await locked.stored(title), 0, name)
      })
    }
  }, 60_000)
})
