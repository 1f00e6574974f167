/** Two pods that differ only in hidden rows give the same answers to every caller who may not read these rows. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import type { Approach } from "../doors/surfaces.ts"
import { allApproaches } from "../doors/walk.ts"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aModelStub, type ModelStub, replies } from "../support/modelStub.ts"
import { aPod, type Storage } from "../support/pod.ts"
import { exampleOf } from "../surfaces/promises.ts"
import { expectOk } from "../attacks/population.ts"
import { aFilledTwin, callerNames, type FilledTwin, fill, openWorkspace } from "../attacks/twinPods.ts"
import { compareAnswers, idForm } from "../attacks/twins.ts"
import { variantsOf } from "../attacks/variants.ts"

/**
 * The storages, each with the callers that send reads. PGlite has fewer callers, because a request takes ten times as
 * long there.
 */
const storages: ReadonlyArray<readonly [string, Storage, ReadonlyArray<string>]> = [
  ["in memory", { kind: "memory" }, callerNames.everybody],
  ["on PGlite", { kind: "pglite", open: anEmbedded }, callerNames.someOfEach]
]

/**
 * Returns the name of an operation with its surface. A procedure has only one name, although keys and sessions call it
 * on different paths.
 */
const kindOf = ({ operation, place }: Approach) =>
  `${operation.name}, ${place === "rest" ? "REST" : place === "mcp" ? "a tool" : "a procedure"}`

const pagesMax = 4
// The test sends every read for every record, with up to ten callers, to both pods. This takes minutes.
const patient = { timeout: 600_000 }

/** Reads that this test cannot call, with the reason. */
const unasked: Readonly<Record<string, string>> = {
  "federation.oidcConfig, REST": "It checks the assertion of an issuer, and these pods trust no issuer.",
  "setup.agentPending, REST": "It asks about an issuer that waits for the owner, and these pods know no issuer.",
  "calendar.read, REST": "Its path holds a secret of the person; calendar.test asks with secrets of others.",
  "n8n.analyze, REST": "It reads no record, only the text that it gets.",
  "webhooks.attempts, a procedure": "It asks about a delivery, and no receiver is called; webhookReach.test asks it."
}

/** Operations that show figures of the whole pod. The owner of the pod may call them as the operator. */
const figuresOfPod = new Set(["health.metrics", "health.migrations", "health.dependencies", "system.getServiceHealth"])

/** Operations that create records and that the people of these pods may not call, each with its reason. */
const unmade: Readonly<Record<string, string>> = {
  "backups.create": "Only the owner of the pod makes backups.",
  "invitations.create": "Only the owner and the administrators of the pod invite people.",
  "providers.create": "Only the owner of the pod connects language models."
}

/** Starts a pod with a language model that gives the same answer to every prompt, and cites the first source. */
const aPodWithModel = async (storage: Storage) => {
  const model = await aModelStub()
  model.reply(replies.saying("Word [1]."))
  const pod = await aPod(storage, { languageModelUrl: Option.some(model.url), languageModelName: Option.some("small") })
  return { model, pod }
}

/** Returns all prompts that the model got, without ids and times. */
const promptsOf = (model: ModelStub) =>
  model
    .asked()
    .filter(({ path }) => path.endsWith("/chat/completions"))
    .map(({ body }) =>
      JSON.stringify(body.messages)
        .replaceAll(idForm, "id")
        .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "instant")
    )

for (const [where, storage, callers] of storages) {
  describe(`attack: a caller compares answers to find out whether hidden rows exist, ${where}`, () => {
    let models: ReadonlyArray<ModelStub> = []
    let plain: FilledTwin
    let fuller: FilledTwin
    let reads: ReadonlyArray<Approach>
    let creates: ReadonlyArray<string>
    const answeredAtAll = new Set<string>()
    beforeAll(async () => {
      const made = [await aPodWithModel(storage), await aPodWithModel(storage)] as const
      models = made.map(({ model }) => model)
      plain = await aFilledTwin(made[0].pod, storage)
      fuller = await aFilledTwin(made[1].pod, storage)
      const ways = await allApproaches(plain.pod, false)
      reads = ways.filter((way) => way.operation.kind === "query" && !(kindOf(way) in unasked))
      creates = ways
        .filter(({ operation: { name }, place }) => place === "rest" && name.endsWith(".create"))
        .map(({ operation }) => operation.name)
    }, 240_000)
    afterAll(async () => {
      await plain?.pod.stop()
      await fuller?.pod.stop()
      for (const model of models) await model.stop()
    })

    const sorts = () => [...new Set([...fuller.ids.keys()].map((name) => name.split("/")[1]))]

    /**
     * Sends every read to both pods as each of these callers, and returns the differences between the answers. The
     * reads ask for records that both pods have, and for `hidden` records that only one pod has.
     */
    const differences = async (names: ReadonlyArray<string>, hidden: ReadonlyArray<string>) => {
      const found: Array<string> = []
      const ask = async (name: string, way: Approach, input: unknown) => {
        let heard = await compareAnswers([plain, fuller], name, way, input)
        if (heard.wasAnswered) answeredAtAll.add(kindOf(way))
        if (heard.difference !== undefined) found.push(heard.difference)
        for (let page = 1; page < pagesMax && heard.cursors.every((cursor) => cursor !== null); page++) {
          heard = await compareAnswers([plain, fuller], name, way, input, heard.cursors)
          if (heard.difference !== undefined) found.push(`page ${page}: ${heard.difference}`)
        }
        return heard.wasLetIn
      }
      const questions = reads.map((way) => ({ way, inputs: variantsOf(way, ["seen", "home", ...hidden], sorts()) }))
      for (const name of names) {
        for (const { way, inputs } of questions) {
          if (name === "the pod's owner" && figuresOfPod.has(way.operation.name)) continue
          const [plainest, ...others] = inputs
          if (!(await ask(name, way, plainest))) continue
          for (const input of others) await ask(name, way, input)
        }
      }
      return found
    }

    const alike = (found: ReadonlyArray<string>) => {
      assert.strictEqual(found.length, 0, `${found.length} answers differ\n${found.slice(0, 8).join("\n\n")}`)
      const [one, other] = models.map(promptsOf)
      assert.isAbove(one.length, 0, "the model was asked")
      assert.deepStrictEqual(one, other)
    }

    it("two pods with the same records give the same answers to every read", patient, async () => {
      alike(await differences(["the person", "nobody"], []))
    })

    it(
      "attack: a person gets the same answers, whether or not another person has records of every type",
      patient,
      async () => {
        const { ids, other } = fuller
        const theirs = await openWorkspace(fuller, "theirs", other)
        await fill(fuller, "foreign", other, { workspaceId: null, kind: "note" })
        await fill(fuller, "theirs", other, { workspaceId: theirs, kind: "note" })
        const workspaceId = ids.get("seen/workspaces")
        const own: ReadonlyArray<readonly [string, string, object]> = [
          ["focus-sessions", "focusSessions.create", { goal: "word beside", correlationId: "beside", workspaceId }],
          ["commands", "commands.create", { name: "word beside", triggerSlug: "alone-beside", workspaceId }]
        ]
        for (const [sort, operation, fields] of own) {
          const body = { ...(exampleOf(operation) as object), ...fields }
          ids.set(`beside/${sort}`, expectOk(await other.key.send("POST", `/api/hub/${sort}`, body), operation).id)
        }
        alike(await differences(callers, ["foreign", "theirs", "beside"]))
      }
    )

    it(
      "attack: a key with a narrow grant gets the same answers, whether or not the person who owns the key has records outside the grant",
      patient,
      async () => {
        const { ids, person } = fuller
        await fill(fuller, "private", person, { workspaceId: null, kind: "task", isFirst: false })
        await fill(fuller, "apart", person, { workspaceId: ids.get("apart/workspaces")!, kind: "task" })
        alike(await differences(callerNames.narrow, ["private", "apart"]))
      }
    )

    it(
      "attack: a key for one workspace gets the same answers, whether or not the person who owns the key has other workspaces, agents, roles and keys",
      patient,
      async () => {
        const { session } = fuller.person
        const made = expectOk(await session.mutate("agents.create", { name: "word further" }), "agents.create")
        fuller.ids.set("further/agents", made.result.data.id)
        const grant = { permissions: ["entity.read"] }
        const role = expectOk(await session.mutate("roles.create", { name: "word further", grant }), "roles.create")
        fuller.ids.set("further/access-roles", role.result.data.id)
        await fuller.pod.aKey(session, { grant })
        await openWorkspace(fuller, "further", fuller.person)
        alike(await differences(callerNames.oneWorkspace, ["further"]))
      }
    )

    it(
      "attack: a key for one kind gets the same answers, whether or not the workspace has records of other kinds",
      patient,
      async () => {
        const { ids, person } = fuller
        await fill(fuller, "near", person, { workspaceId: ids.get("seen/workspaces")!, kind: "task", isFirst: false })
        alike(await differences(callerNames.byKind, ["near"]))
      }
    )

    it(
      "attack: a key for entities gets the same answers, whether or not a readable entity has relations, documents and proposals",
      patient,
      async () => {
        const { ids, person } = fuller
        const entity = ids.get("seen/entities")!
        const hang = async (sort: string, path: string, body: object) =>
          ids.set(`hung/${sort}`, expectOk(await person.key.send("POST", `/api/hub/${path}`, body), path).id)
        const workspaceId = ids.get("seen/workspaces")
        for (const [sort, target] of [
          ["relations", "near/entities"],
          ["more-relations", "seen/others"]
        ]) {
          const ends = { sourceEntityId: entity, targetEntityId: ids.get(target), type: "hangs-on" }
          await hang(sort, "relations", { ...ends, workspaceId })
        }
        await hang("documents", "documents", {
          workspaceId,
          entityId: entity,
          title: "word hung",
          content: "word hung"
        })
        await hang("proposals", "tracks", { workspaceId, name: "word hung" })
        alike(await differences(callerNames.notesAlone, ["hung"]))
      }
    )

    it(
      "attack: a key for one object gets the same answers, whether or not there are other entities",
      patient,
      async () => {
        const { ids, person } = fuller
        await fill(fuller, "more", person, { workspaceId: ids.get("seen/workspaces")!, kind: "note", isFirst: false })
        alike(await differences(callerNames.oneObject, ["more"]))
      }
    )

    it("the tests of hidden rows get an answer from every read operation, and use every operation that creates records, except for listed operations", () => {
      const missed = [...new Set(reads.map(kindOf))].filter((name) => !answeredAtAll.has(name))
      assert.deepStrictEqual(missed, [])
      assert.deepStrictEqual(
        creates.filter((name) => !plain.made.has(name) && !(name in unmade)),
        []
      )
    })
  })
}
