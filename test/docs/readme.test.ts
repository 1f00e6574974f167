/**
 * Runs the commands of the README and of the pages of docs/ in one shell against a new pod. Each command must give the
 * result that the page describes.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"
import { aFolder, type BuiltPod, type Folder, ownerEmail, ownerPassword, startPod } from "../support/builtPod.ts"
import { linesIn } from "../support/docCommands.ts"
import { anUnclaimedPod, hasTools, inShell } from "../support/docShell.ts"
import { projectRoot } from "../support/migrations.ts"

const isRun = (line: string) => !line.startsWith("claude ") && !/^(?:#|$)/.test(line)

/** Puts real values in the places of the example values, as a reader must do. */
const replaced = (lines: ReadonlyArray<string>, baseUrl: string) =>
  lines.map((line) =>
    line
      .replace("http://localhost:8787", baseUrl)
      .replace("you@example.com", ownerEmail)
      .replace("what you chose", ownerPassword)
  )

const expectedStatus = (line: string) => /# ([45]\d\d):/.exec(line)?.[1] ?? "200"

it("the README shows the start message with the real number of migrations", () => {
  const files = readdirSync(`${projectRoot}migrations`).filter((name) => name.endsWith(".sql"))
  const shown = /Database: made in \.\/data\/pg, (\d+) migrations/.exec(readFileSync(`${projectRoot}README.md`, "utf8"))
  assert.strictEqual(shown?.[1], `${files.length}`)
})

describe.skipIf(!hasTools)("the commands of the pages (skipped without bash, curl and sed)", () => {
  let folder: Folder
  let claimant: Folder
  let pod: BuiltPod
  let claim: Awaited<ReturnType<typeof inShell>>
  beforeAll(async () => {
    folder = aFolder()
    claimant = aFolder()
    pod = await startPod({ dataDir: folder.path, environment: { POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "" } })
    const lines = replaced(linesIn("bash claim"), pod.baseUrl)
    // The other commands run in another home folder, so they do not use the sign-in of this page.
    claim = await inShell(claimant.path, lines, { POD_DATA_DIR: folder.path })
  })
  afterAll(async () => {
    await pod.kill()
    for (const one of [folder, claimant]) one.remove()
  })

  it("the commands of the page about claiming a pod create the owner of a new pod", () => {
    const [notes, printed] = ["notes", "printed"].map((name) => readFileSync(`${claimant.path}/${name}`, "utf8"))
    assert.strictEqual(claim.code, 0, notes)
    assert.match(printed ?? "", /\/setup#/)
    assert.include(printed, ownerEmail)
  })

  it("every command in the README and in docs/ gives the result that its page describes", async () => {
    const lines = replaced(linesIn("bash").filter(isRun), pod.baseUrl)
    const { answers, code, statuses } = await inShell(folder.path, lines)
    const [notes, printed] = ["notes", "printed"].map((name) => readFileSync(`${folder.path}/${name}`, "utf8"))
    const calls = lines.filter((line) => /\bcurl /.test(line))
    assert.isAbove(calls.length, 50)
    assert.deepStrictEqual(
      calls.map((line, at) => `${statuses[at]} ${line}`),
      calls.map((line) => `${expectedStatus(line)} ${line}`),
      answers.join("\n")
    )
    assert.strictEqual(code, 0, statuses.join("\n") + notes)

    // A command that stores its answer in a variable prints no answer.
    const shown = calls.filter((line) => !/^[A-Z]+=/.test(line))
    assert.lengthOf(answers, shown.length)
    const answerTo = (part: string) => JSON.parse(answers[shown.findIndex((line) => line.includes(part))] ?? "null")
    const facts = (answer: ReadonlyArray<{ readonly fact: string }>) => answer.map(({ fact }) => fact)
    const found = answerTo("sapre")
    assert.deepStrictEqual(found.understanding.corrected, [{ from: "sapre", to: "spare" }])
    assert.strictEqual(found.answers[0].items[0].title, "Where the spare key is")
    assert.strictEqual(answerTo("box type:knowledge").answers[0].items[0].title, "Where the fuse box is")
    assert.strictEqual(answerTo("/knowledge/answer").failure.code, "not_entitled")
    assert.deepStrictEqual(facts(answerTo('memory?q=release+review"')), ["The release review is on Friday."])
    assert.deepStrictEqual(facts(answerTo("&asOf=")), ["The release review is on Tuesday."])
    assert.strictEqual(answerTo("/history").length, 3)
    assert.deepStrictEqual(facts(answerTo("/forget/preview").facts), ["planning[turn:1] assistant: The glass one."])
    assert.match(printed ?? "", /^deny +entities\.create/m) // This is a line of the output of `pod keys check`.
    const publicShop = calls.findLastIndex((line) => line.includes("public/projection?workspace=$SHOP"))
    const [acme] = JSON.parse(answers[shown.indexOf(calls[publicShop] ?? "")] ?? "null").items
    assert.deepStrictEqual([acme.title, acme.properties], ["Acme", { website: "https://acme.example" }])
  })
})

it.skipIf(!hasTools)("every command in the README's list of commands succeeds on a pod without an owner", async () => {
  const folder = aFolder()
  const dataDir = `${folder.path}/shell/data`
  const pod = await anUnclaimedPod(dataDir)
  writeFileSync(`${folder.path}/shell/password`, ownerPassword)
  const lines = replaced(linesIn("bash commands"), pod.baseUrl)
  const { code } = await inShell(folder.path, lines, { POD_DATA_DIR: dataDir })
  const [notes, printed] = ["notes", "printed"].map((name) => readFileSync(`${folder.path}/${name}`, "utf8"))
  await pod.terminate()
  folder.remove()
  assert.strictEqual(code, 0, notes)
  assert.match(printed ?? "", /\/setup#/)
  assert.match(printed ?? "", /^deny +entities\.create/m)
})
