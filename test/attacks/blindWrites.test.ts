/**
 * A credential that may write but not read learns no field of a stored record from its writes, whichever operation it
 * calls.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { subjects } from "../../src/doors/Door.ts"
import { type Approach, ask, nameOf } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { everyNth } from "../support/everyNth.ts"
import { aPod, type Caller, openingScopes } from "../support/pod.ts"
import { storages } from "../support/storages.ts"
import { expectOk } from "./population.ts"
import { aFilledTwin, type FilledTwin } from "./twinPods.ts"
import { variantsOf } from "./variants.ts"

// A grant has at most 64 permissions, so two grants share the subjects. No grant can name the subject `apiKey`.
const subjectsMax = 21
const granted: ReadonlyArray<string> = subjects.filter((subject) => subject !== "apiKey")
const blindGrants = [granted.slice(0, subjectsMax), granted.slice(subjectsMax)].map((half) =>
  half.flatMap((subject) => ["create", "update", "delete"].map((action) => `${subject}.${action}`))
)

/** Returns the number of the grant that has the subject of the operation. */
const grantFor = ({ operation: { door } }: Approach): number =>
  door._tag === "Write" && granted.indexOf(door.subject) >= subjectsMax ? 1 : 0

/** Texts of the records that `aFilledTwin` makes. */
const storedText =
  /word (?:seen|home)|(?:seen|home)@mail|(?:kept|recipe|role|knows|owns|due|report|alone)-(?:seen|home)/g

const inputsMax = 10 // inputs for each write; the first ones name each record that a field can name

for (const [where, storage] of storages) {
  describe(`attack: a credential that may write but not read tries to read by its writes, ${where}`, () => {
    let twin: FilledTwin
    let writes: ReadonlyArray<Approach>
    let turn = 0
    beforeAll(async () => {
      const pod = await aPod(storage)
      twin = await aFilledTwin(pod, storage)
      writes = (await allApproaches(pod, false)).filter(
        ({ operation, place }) => operation.kind === "mutation" && place !== "session"
      )
    })
    afterAll(() => twin?.pod.stop())

    const aKey = (permissions: ReadonlyArray<string>, order: object = {}) =>
      twin.pod.aKey(twin.person.session, { scope: openingScopes, grant: { permissions }, ...order })

    const blindKeys = (order: object = {}) => Promise.all(blindGrants.map((permissions) => aKey(permissions, order)))

    /** Calls writes about every record, and returns the answers with a stored text that the request did not have. */
    const answersWithStoredTexts = async (callers: ReadonlyArray<Caller>) => {
      const sorts = [...new Set([...twin.ids.keys()].map((name) => name.split("/")[1]))]
      const found: Array<string> = []
      let answers = 0
      for (const way of everyNth(writes, turn++, 4)) {
        for (const variant of variantsOf(way, ["seen", "home"], sorts).slice(0, inputsMax)) {
          const asked = JSON.stringify(variant).replaceAll(
            /@([a-z]+\/[a-z-]+)/g,
            (_, name) => twin.ids.get(name) ?? twin.pod.ownerId
          )
          const { body, verdict } = await ask(callers[grantFor(way)], way, JSON.parse(asked))
          if (verdict === "answered") answers += 1
          const answer = JSON.stringify(body) ?? ""
          if ((answer.match(storedText) ?? []).some((text) => !asked.includes(text)))
            found.push(`${nameOf(way)} ${asked}: ${answer}`)
        }
      }
      assert.isAbove(answers, 0)
      return found
    }

    const deletions = () =>
      [
        ["entity", "entities"],
        ["track", "tracks"],
        ["document", "documents"],
        ["project", "projects"],
        ["channel", "channels"]
      ].map(([subject, sort]) => ({ subject, id: twin.ids.get(`seen/${sort}`)!, path: `/api/hub/${sort}` }))

    it("the answer to a proposed delete names the record only to an agent that may read the record", async () => {
      const { agentId } = twin.person
      for (const { id, path, subject } of deletions()) {
        for (const canRead of [true, false]) {
          const permissions = [`${subject}.delete`, ...(canRead ? [`${subject}.read`] : [])]
          const agent = await aKey(permissions, { agentId })
          const { status, summary } = expectOk(await agent.send("DELETE", `${path}/${id}`), path)
          assert.strictEqual(status, "proposed", path)
          if (canRead) assert.include(summary, "word seen")
          else assert.strictEqual(summary, `A change of the type ${subject}.delete`)
        }
      }
    })

    it("the answer to a proposal by hand names the record only to an agent that may read the record", async () => {
      const { agentId } = twin.person
      const body = { targetType: "entity", targetId: twin.ids.get("seen/entities"), proposalType: "delete", data: {} }
      const ofGrant = async (permissions: ReadonlyArray<string>) => {
        const agent = await aKey(["proposal.create", "entity.delete", ...permissions], { agentId })
        const workspaceId = twin.ids.get("seen/workspaces")
        return expectOk(await agent.send("POST", "/api/hub/proposals", { ...body, workspaceId }), "proposals.file")
          .summary
      }
      assert.include(await ofGrant(["entity.read"]), "word seen")
      assert.strictEqual(await ofGrant([]), "A change of the type entity.delete")
    })

    it("a person sees the names in the summary of a proposal, whatever the agent that asked may read", async () => {
      const { agentId, session } = twin.person
      const agent = await aKey(["view.delete"], { agentId })
      const { proposalId } = expectOk(
        await agent.send("DELETE", `/api/hub/views/${twin.ids.get("seen/views")}`),
        "views"
      )
      const { summary } = expectOk(await session.send("GET", `/api/hub/proposals/${proposalId}`), "proposals.get")
      assert.include(summary, "word seen")
    })

    it("an agent that may write but not read sees nothing of a stored record, whatever operation it calls", async () => {
      assert.deepStrictEqual(await answersWithStoredTexts(await blindKeys({ agentId: twin.person.agentId })), [])
    })

    const remembered = async (fact: string) => {
      const stored = await twin.person.key.send("POST", "/api/hub/memory", { fact })
      return expectOk(stored, "memory.create").id as string
    }

    it("a key that may forget but not read memory gets the number of the forgotten facts, and no fact", async () => {
      const key = await aKey(["memory.delete"])
      const reader = await aKey(["memory.delete", "memory.read"])
      const ids = [await remembered("The safe opens with 4711."), await remembered("The attic has a second door.")]
      const gone = expectOk(await reader.send("POST", "/api/hub/memory/forget", { ids: [ids[0]] }), "memory.forget")
      assert.deepStrictEqual(
        gone.facts.map(({ fact }: { readonly fact: string }) => fact),
        ["The safe opens with 4711."]
      )
      assert.deepStrictEqual(expectOk(await key.send("POST", "/api/hub/memory/forget", { ids: [ids[1]] }), "forget"), {
        success: true,
        facts: [],
        count: 1
      })
    })

    it("if a key that may not read memory stores and forgets facts in one request, the answer shows the stored facts and not the forgotten ones", async () => {
      const key = await aKey(["memory.create", "memory.delete"])
      const id = await remembered("The cellar key hangs in the hall.")
      const entries = [
        { action: "remember", target: "garden", content: "The garden has a well." },
        { action: "forget", target: id, content: "" }
      ]
      const { count, facts } = expectOk(await key.send("POST", "/api/hub/memory/writes", { entries }), "memory.writes")
      assert.strictEqual(count, 2)
      assert.deepStrictEqual(
        facts.map(({ target }: { readonly target: string }) => target),
        ["garden"]
      )
    })

    it("a key that may not read memory cannot replace a fact, because the new fact would show the topic of the old fact", async () => {
      const key = await aKey(["memory.create", "memory.update"])
      const entries = [{ action: "remember", target: "health", content: "The person is allergic to nuts." }]
      const made = expectOk(await twin.person.key.send("POST", "/api/hub/memory/writes", { entries }), "memory.writes")
      const update = [{ action: "update", target: made.facts[0].id, content: "The person eats nuts." }]
      const { body, status } = await key.send("POST", "/api/hub/memory/writes", { entries: update })
      assert.deepStrictEqual([status, body.code], [403, "GRANT_DENIED"])
      assert.include(body.required, "memory.read")
    })

    it("a key that may write but not read sees nothing of a stored record, whatever operation it calls", async () => {
      assert.deepStrictEqual(await answersWithStoredTexts(await blindKeys()), [])
    })
  })
}
