/**
 * Attack: a step of an automation rule waits for a lock in the database while somebody pauses, changes or deletes the
 * rule, or takes its access, at another pod. When a pod answers this change, the step has ended.
 */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { withLockedEntities } from "../support/lockedEntities.ts"
import type { Answer, Caller } from "../support/pod.ts"
import { describeTwoPods } from "../support/twoPods.ts"
import { assertOk, assertProposed, procedureData } from "./attackScene.ts"

describeTwoPods("attack: a rule works while somebody ends it", (pods) => {
  /** A person with a rule, and the change that ends the rule. */
  interface Case {
    readonly person: Caller
    readonly change: () => Promise<Answer>
  }

  /** Makes a rule that creates a note when the person logs an event. Returns the path of the rule. */
  const aRule = async (title: string, caller: Caller) => {
    const sentence = { when: "late.happened", then: `create a note called ${title}` }
    const draft = { intent: title, scope: { kind: "pod" }, sentence }
    const { ruleId } = assertOk(await caller.send("POST", "/api/hub/rules", draft))
    return `/api/hub/rules/${ruleId}`
  }

  const lostKey = "without its key"

  const cases: Readonly<Record<string, (title: string) => Promise<Case>>> = {
    paused: async (title) => {
      const person = await pods.first.aPerson()
      const path = await aRule(title, person)
      return { person, change: () => person.send("PATCH", path, { active: false }) }
    },
    changed: async (title) => {
      const person = await pods.first.aPerson()
      const path = await aRule(title, person)
      const sentence = { when: "late.happened", then: "notify me" }
      return { person, change: () => person.send("PATCH", path, { sentence }) }
    },
    deleted: async (title) => {
      const person = await pods.first.aPerson()
      const path = await aRule(title, person)
      return { person, change: () => person.send("DELETE", path) }
    },
    "paused by a proposal": async (title) => {
      const person = await pods.first.aPerson()
      const path = await aRule(title, person)
      const agentId = procedureData(await person.mutate("agents.create", { name: "Pauser", capabilities: ["*"] })).id
      const agent = await pods.first.aKey(person, { agentId })
      const proposalId = assertProposed(await agent.send("PATCH", path, { active: false }))
      return { person, change: () => person.send("POST", `/api/hub/proposals/${proposalId}/approve`, {}) }
    },
    [lostKey]: async (title) => {
      const person = await pods.first.aPerson()
      const key = await pods.first.aKey(person)
      await aRule(title, key)
      return { person, change: () => person.mutate("apiKeys.revoke", { keyId: key.id }) }
    }
  }

  /** Ends all of these rules while their steps wait, and checks that no step is stored. */
  const endTogether = async (names: ReadonlyArray<string>) => {
    const all: Array<Case & { readonly name: string; readonly title: string }> = []
    for (const name of names) {
      const title = `Late ${name}`
      all.push({ name, title, ...(await cases[name](title)) })
    }
    await withLockedEntities(pods.url, async (locked) => {
      for (const { person } of all) procedureData(await person.mutate("events.log", { type: "late.happened" }))
      await locked.untilWaiting(all.length)
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
        "the pod answered these changes before the steps had ended"
      )
      await locked.release()
      for (const { name, title } of all) assert.strictEqual(await locked.stored(title), 0, name)
    })
  }

  it("after a pod has answered that an automation rule is paused, changed or deleted, no step of the former rule that waited for a lock is stored", async () => {
    const { [lostKey]: _alone, ...others } = cases
    await endTogether(Object.keys(others))
  }, 60_000)

  it("the pod can revoke the key of an automation rule while a step of the rule waits for a lock, and stores no step after that", async () => {
    await endTogether([lostKey])
  }, 60_000)
})
