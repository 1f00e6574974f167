/** Runs the unchanged scripts of examples/curl against a pod. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { afterAll, beforeAll } from "vitest"
import { type Examples, examplesOf } from "../support/exampleProgram.ts"
import { aPod, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"

const hasCurl = ["sh", "curl", "sed"].every((tool) => spawnSync(tool, ["-c", "true"]).error === undefined)
const both = ["hub-protocol.read", "hub-protocol.write"]

describe.skipIf(!hasCurl)("the examples with curl (skipped without sh, curl and sed)", () => {
  let pod: TestPod
  let examples: Examples
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" }, { webhookAllow: ["127.0.0.1"] })
    examples = examplesOf(pod)
  })
  afterAll(async () => {
    examples.stop()
    await pod.stop()
  })

  beforeAll(async () => {
    for (const title of ["Buy paint", "Sweep the chimney in May"]) {
      await pod.owner.send("POST", "/api/hub/entities", { profileSlug: "note", title })
    }
  })

  const answersOf = async (name: string, environment: Readonly<Record<string, string>>) =>
    (await examples.outputOf(name, environment))
      .trim()
      .split(/\n+/)
      .filter((line) => !line.startsWith("event: "))
      .map((line) => JSON.parse(line.replace(/^data: /, "")))

  it("the curl example `firstKey` makes a key that reads notes and writes nothing", async () => {
    const [notes, refused] = await answersOf("curl/firstKey.sh", {
      POD_EMAIL: ownerEmail,
      POD_PASSWORD: ownerPassword
    })
    assert.isAbove(notes.length, 0)
    assert.strictEqual(refused.code, "SCOPE_MISSING")
  })

  it("the curl example `notes` creates, changes and archives a note", async () => {
    const [read, changed] = await answersOf("curl/notes.sh", { POD_API_KEY: await examples.aSecret(both) })
    assert.deepStrictEqual([read.title, changed.title], ["Sweep the chimney", "Sweep both chimneys"])
    assert.notInclude(await examples.noteTitles(), "Sweep both chimneys")
  })

  it("the curl example `agentProposes` lets an agent propose a note, and ends with the approved note", async () => {
    const keys = { AGENT_KEY: await examples.anAgentKey(), POD_API_KEY: await examples.aSecret(both) }
    const [approved] = await answersOf("curl/agentProposes.sh", keys)
    assert.strictEqual(approved.proposal.status, "approved")
    assert.include(await examples.noteTitles(), "Call the chimney sweep")
  })

  it("the curl example `searchAndRemember` finds a note and recalls a fact", async () => {
    const [found, , recalled] = await answersOf("curl/searchAndRemember.sh", {
      POD_API_KEY: await examples.aSecret(both)
    })
    assert.include(JSON.stringify(found.answers), "chimney")
    assert.strictEqual(recalled[0].fact, "The chimney sweep comes in May.")
  })

  it("the curl example `listTools` lists the tools of the key", async () => {
    const answers = await answersOf("curl/listTools.sh", { POD_API_KEY: await examples.aSecret(["mcp.read"]) })
    assert.include(JSON.stringify(answers), "svc_get_entities")
  })
})
