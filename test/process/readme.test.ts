/**
 * Runs the commands of the README and of the guides in one shell against a new pod. Each command must give the result
 * that the page describes.
 */
import { assert, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { aFolder, ownerEmail, ownerPassword, startPod } from "../support/builtPod.ts"
import { projectRoot } from "../support/migrations.ts"

const hasTools = ["bash", "curl", "sed"].every((tool) => spawnSync(tool, ["--version"]).status === 0)

/** All lines of the shell code blocks of a page, without lines that start the program `claude`. */
const linesOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/^```bash\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = ""]) => block.trimEnd().split("\n"))
    .filter((line) => !line.startsWith("claude "))

/** The README comes first, because the guides use what its commands create. A line that is in two pages is run once. */
const pages = [
  "README.md",
  ...readdirSync(`${projectRoot}docs/guides`)
    .sort()
    .map((name) => `docs/guides/${name}`)
]
const commands = [...new Set(pages.flatMap((name) => linesOf(readFileSync(projectRoot + name, "utf8"))))]

/** A `curl` that ends each answer with a line break and writes its HTTP status to stderr. */
const tellingCurl = String.raw`curl() { command curl -w '\n%{stderr}%{http_code}\n' "$@"; }`

const inShell = async (script: string) => {
  const child = spawn("bash", ["-eu", "-c", script], { stdio: ["ignore", "pipe", "pipe"] })
  let [answers, statuses] = ["", ""]
  child.stdout.on("data", (part) => (answers += part))
  child.stderr.on("data", (part) => (statuses += part))
  const code = await new Promise((resolve) => child.once("close", resolve))
  return { code, answers: answers.trim().split(/\n+/), statuses: statuses.trim().split(/\n+/) }
}

const expectedStatus = (line: string) => /# (40\d):/.exec(line)?.[1] ?? "200"

it.skipIf(!hasTools)(
  "each command of the README and the guides answers as the page says (skipped without bash, curl and sed)",
  async () => {
    const folder = aFolder()
    const pod = await startPod({ dataDir: folder.path })
    const lines = commands.map((line) =>
      line
        .replace("http://localhost:8787", pod.baseUrl)
        .replace("you@example.com", ownerEmail)
        .replace("what you chose", ownerPassword)
    )
    const { answers, code, statuses } = await inShell([tellingCurl, ...lines].join("\n"))
    await pod.terminate()
    folder.remove()
    const calls = lines.filter((line) => /\bcurl /.test(line))
    assert.isAbove(calls.length, 20)
    assert.deepStrictEqual(
      calls.map((line, at) => `${statuses[at]} ${line}`),
      calls.map((line) => `${expectedStatus(line)} ${line}`),
      answers.join("\n")
    )
    assert.strictEqual(code, 0, statuses.join("\n"))

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
  }
)
