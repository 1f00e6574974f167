/**
 * An id in capital letters means the same as the id in small letters. This is true for reads, writes and grants, and
 * for a change that ends the running calls of a person.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { Revocations } from "../../src/doors/Revocations.ts"
import { sampleFor } from "../doors/samples.ts"
import { type Approach, ask, nameOf, startsWork } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { setRole } from "../support/membership.ts"
import { aPod, type TestPod } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anEntity, assertOk, procedureData } from "./attackScene.ts"

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
/**
 * The parts that differ between two answers to the same question: times, durations, and the ids of decisions and
 * requests.
 */
const changing = [
  /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g,
  /"(?:latencyMs|uptimeSeconds|uptimeMs)":[\d.]+/g,
  /"(?:decisionId|requestId)":"[0-9a-f-]{36}"/g
]

onOneStorage("ids in capital letters", (storage) => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod?.stop())

  describe("attack: a caller writes an id in capital letters", () => {
    it("every read gives the same answer for an id in capital letters as for the same id in small letters", async () => {
      const { owner } = pod
      const workspaceId = await pod.aWorkspace(owner, "Ours")
      const { id } = await anEntity(owner, { workspaceId })
      const reads = (await allApproaches(pod, false)).filter(
        ({ operation }) =>
          operation.kind === "query" && operation.door._tag !== "Public" && !startsWork.has(operation.name)
      )
      const answers = async (way: Approach, input: string) => {
        const { code, verdict, ...answer } = await ask(owner, way, JSON.parse(input))
        return {
          code,
          verdict,
          text: changing.reduce((text, each) => text.replaceAll(each, ""), JSON.stringify(answer))
        }
      }
      let compared = 0
      for (const way of reads) {
        const sample = JSON.stringify(sampleFor(way, {}))
        if (sample?.match(uuid) === null) continue
        for (const known of [id, workspaceId, pod.ownerId]) {
          const small = await answers(way, sample.replaceAll(uuid, known))
          const capital = await answers(way, sample.replaceAll(uuid, known.toUpperCase()))
          assert.deepStrictEqual(capital, small, `${nameOf(way)} ${sample.replaceAll(uuid, known)}`)
          compared += 1
        }
      }
      assert.isAbove(compared, 300)
    })

    it("if a write, a grant or a link to a record contains an id in capital letters, the pod stores the id in small letters", async () => {
      const { owner } = pod
      const workspaceId = await pod.aWorkspace(owner, "Written")
      const capital = workspaceId.toUpperCase()
      const entity = await anEntity(owner, { workspaceId: capital })
      const read = assertOk(await owner.send("GET", `/api/hub/entities/${entity.id.toUpperCase()}`))
      assert.deepInclude(read, { id: entity.id, workspaceId })
      const grant = { permissions: ["entity.read"], workspaceIds: [capital], entityIds: [entity.id.toUpperCase()] }
      const key = await pod.aKey(owner, { grant })
      assert.strictEqual(assertOk(await key.send("GET", `/api/hub/entities/${entity.id}`)).id, entity.id)
      const event = procedureData(
        await owner.mutate("events.log", { type: "test.happened", subjectId: entity.id.toUpperCase() })
      )
      const [stored] = assertOk(await owner.send("GET", `/api/hub/events?type=test.happened`))
      assert.deepInclude(stored, { id: event.id, subjectId: entity.id })
    })

    /**
     * Makes the change. Returns true if the running calls of the person had already ended when the answer to the change
     * came.
     */
    const endsCallsOf = async (personId: string, change: () => Promise<unknown>) => {
      let isEnded = false
      const unwatch = await pod.run(Effect.map(Revocations, ({ watch }) => watch(personId, () => (isEnded = true))))
      await change()
      unwatch()
      return isEnded
    }

    it("if the id in a request to suspend a person is in capital letters, the pod still ends the running calls of this person before it answers", async () => {
      const person = await pod.aPerson()
      const path = `/api/hub/people/${person.id.toUpperCase()}`
      const suspend = async () => assertOk(await pod.owner.send("PATCH", path, { isSuspended: true }))
      assert.isTrue(await endsCallsOf(person.id, suspend))
    })

    it("if the id in a request to remove a member from a workspace is in capital letters, the pod still ends this member's running calls before it answers", async () => {
      const person = await pod.aPerson()
      const workspaceId = await pod.aWorkspace(pod.owner, "Shared")
      await setRole(pod, storage, person.id, workspaceId, "editor")
      const path = `/api/hub/workspaces/${workspaceId}/members/${person.id.toUpperCase()}`
      assert.isTrue(await endsCallsOf(person.id, async () => assertOk(await pod.owner.send("DELETE", path))))
    })
  })
})
