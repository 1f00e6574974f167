/**
 * Checks the messages of commits. The subject must name an area and have at most 72 characters, and a body must say
 * why. Commits that are older than this rule are not checked. A copy without the history, such as a package, has
 * nothing to check.
 */
import { spawnSync } from "node:child_process"
import { pathToFileURL } from "node:url"
import { root } from "./install.mjs"

// The subject of a commit message has at most this many characters.
const subjectMax = 72
const lastBeforeRule = "5926585ccbe3f367e45662ce7d606ebdd7caea17"

const subjectForm = /^[a-z][\w./, -]*: \S/

/** Returns what is wrong with the message of a commit: one sentence for each fault. */
export const faultsOf = (message) => {
  const [subject = "", ...rest] = message.trim().split("\n")
  const faults = []
  if (subject.length > subjectMax)
    faults.push(`the subject has ${subject.length} characters, at most ${subjectMax} are allowed`)
  if (!subjectForm.test(subject))
    faults.push('the subject does not say what and where, such as "keys: refuse an empty name"')
  if (rest.length > 0 && rest[0] !== "") faults.push("no empty line follows the subject")
  if (rest.join("").trim() === "") faults.push("no body says why")
  return faults
}

const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" })

/**
 * Returns the commits that the rule covers, without merges: the short id and the message of each commit. Returns
 * undefined if there is no history.
 */
const covered = () => {
  if (git("cat-file", "-e", `${lastBeforeRule}^{commit}`).status !== 0) return undefined
  const { status, stdout } = git("log", "--no-merges", "--format=%h%x00%B%x01", `${lastBeforeRule}..HEAD`)
  if (status !== 0) return undefined
  return stdout
    .split("\u0001")
    .filter((text) => text.trim() !== "")
    .map((text) => text.trim().split("\0"))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const commits = covered()
  if (commits === undefined) process.stdout.write("No history of commits here, so nothing was checked.\n")
  const found = (commits ?? []).flatMap(([id, message = ""]) => faultsOf(message).map((fault) => `${id}: ${fault}`))
  process.stdout.write(found.map((line) => `${line}\n`).join(""))
  if (commits !== undefined && found.length === 0) process.stdout.write(`${commits.length} messages are good.\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
