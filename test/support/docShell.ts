/** Runs the commands of the README and of docs/ in a shell, as a person would type them on the machine of the pod. */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { builtProgram, environmentOf } from "./builtCli.ts"
import { startPod } from "./builtPod.ts"

export const hasTools = ["bash", "curl", "sed"].every((tool) => spawnSync(tool, ["--version"]).status === 0)

/** A `curl` that ends each answer with a line break and writes its HTTP status to stderr. */
const tellingCurl = String.raw`curl() { command curl -w '\n%{stderr}%{http_code}\n' "$@"; }`

/**
 * Runs the lines in one shell, as a person on the machine of the pod. In this shell `pod` is the built program. The
 * output of `pod` goes into a file, so that it does not mix with the answers of `curl`.
 */
export const inShell = async (home: string, lines: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  mkdirSync(`${home}/shell`, { recursive: true })
  const command = `"${process.execPath}" "${await builtProgram()}" "$@" 2>> "$HOME/notes"`
  // `pod events tail` runs until somebody interrupts it, so `timeout` interrupts it after three seconds.
  const program = `pod() { if [ "$1 \${2:-}" = "events tail" ]; then timeout -s INT 3 ${command} || true; else command ${command}; fi; }`
  const kept = lines.map((line) =>
    line.startsWith("pod ") ? line.replace(/(?=\s+# |$)/, ' >> "$HOME/printed"') : line
  )
  const child = spawn("bash", ["-eu", "-c", [program, tellingCurl, ...kept].join("\n")], {
    cwd: `${home}/shell`,
    env: { ...environmentOf(home), POD_DATA_DIR: home, ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [answers, statuses] = ["", ""]
  child.stdout.on("data", (part) => (answers += part))
  child.stderr.on("data", (part) => (statuses += part))
  const code = await new Promise((resolve) => child.once("close", resolve))
  return { code, answers: answers.trim().split(/\n+/), statuses: statuses.trim().split(/\n+/) }
}

/** Starts a pod that has no owner and makes its own secrets. */
export const anUnclaimedPod = (dataDir: string) => {
  mkdirSync(dataDir, { recursive: true })
  const own = { POD_KEY_PEPPER: "", POD_SESSION_SECRET: "", POD_ENCRYPTION_KEY: "" }
  return startPod({ dataDir, environment: { ...own, POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "" } })
}
