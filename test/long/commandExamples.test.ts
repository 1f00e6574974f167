/**
 * Runs every example of every command in a shell, on a pod with sample data. The help and docs/reference/cli.md show
 * these examples. The test replaces only values that no pod has, such as the start of an id.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/CommandTable.ts"
import type { Node } from "../../src/cli/CommandTree.ts"
import { builtProgram, environmentOf } from "../support/builtCli.ts"
import { aFolder, type BuiltPod, ownerEmail, ownerPassword, startPod } from "../support/builtPod.ts"
import { anOddDatabaseOn, postgresSkipped, postgresUrl, type TestDatabase } from "../support/postgres.ts"
import { aReceiver, type Receiver } from "../support/receiver.ts"

const examplesOf = (node: Node): ReadonlyArray<string> =>
  node.kind === "leaf" ? node.examples : node.children.flatMap(examplesOf)
const askingExamplesOf = (node: Node): ReadonlyArray<string> =>
  node.kind === "group" ? node.children.flatMap(askingExamplesOf) : node.asking === undefined ? [] : node.examples
const examples = [...new Set(examplesOf(commands))]

/** Examples that this test does not run, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  "pod login": "asks for the password at a terminal",
  "pod login --url https://pod.example.com --email you@example.com": "asks for the password at a terminal",
  "pod owner create": "asks for the password at a terminal",
  "pod owner reset-password": "asks for the password at a terminal",
  "pod owner hash-password": "asks for the password at a terminal"
}

/** Examples for a pod without an owner. They run first. */
const unclaimed = [/^pod setup-link/, /^pod owner create/]
/** Examples for a pod whose server does not run. They run last. */
const stopped = [
  /^(?:POD_PORT=8788 )?pod start(?: --pod-name \w+)?$/,
  /^pod import/,
  /^pod restore/,
  /^pod migrate (?:up|to-postgres)/,
  /to-postgres/
]

const role =
  "for id in $(pod roles list --json | ids reader; pod roles list --json | ids researcher); do pod roles delete $id -y; done; pod roles create --name reader --permission document.read"
const key =
  "for id in $(pod keys list --json | ids script); do pod keys revoke $id -y; done; pod keys create --name script --scope mcp.read --permission entity.read --json > key"
const note = `ID=$(pod create note "A note" --json | value data.id)`

/**
 * Commands that run before an example of this pattern. A command can set `ID`, which then replaces the id in the
 * example.
 */
const before: ReadonlyArray<readonly [RegExp, string]> = [
  [/--password-file -$/, "exec < ./password"],
  [
    /^pod log|^pod profile use|^pod whoami/,
    `pod login --url "$URL" --email "$EMAIL" --password-file ./password --profile work`
  ],
  [/^pod profile use/, `pod login --url "http://localhost:$SERVER_PORT" --email "$EMAIL" --password-file ./password`],
  [/^pod keys create --name n8n/, role],
  [/^pod keys (?:show|revoke|rotate|check)|env -u/, key],
  [/^pod keys (?:show|revoke) 0192/, "ID=$(pod keys list --json | ids script)"],
  [/^pod keys check .*PATCH|^pod get 0192/, note],
  [/^echo "\$POD_API_KEY"/, "export POD_API_KEY=$SECRET"],
  [/^pod roles (?:show|edit|delete)/, role],
  [/^pod proposals (?:show|approve|reject)/, "ID=$(pod proposals list --json | value data.1.id)"],
  [/^pod events trace/, "ID=$(pod events list --json | value data.0.id)"],
  [/^pod webhooks replay .*--delivery/, "ID=$(pod webhooks deliveries slack --json | value data.0.id)"],
  [/^pod export|^pod seed/, "rm -rf config pod.ndjson.gz acme.ndjson"],
  [/pod start/, "export POD_PORT=0"],
  // The pod of the export has all rows of the file already, so the import goes to a new pod.
  [/^pod import pod\.ndjson/, "export POD_DATA_DIR=./imported; rm -rf imported"],
  [/^pod export --workspace/, "ID=$(pod api GET /api/hub/workspaces --json | value data.workspaces.0.id)"],
  [/^pod migrate status --url/, `pod login --url "$URL" --email "$EMAIL" --password-file ./password`],
  [/^pod seed demo/, "pod seed remove --yes"],
  [/^pod backup verify|^pod restore/, "rm -rf restored"]
]

const home = aFolder()
const data = join(home.path, "data")
const ownSecrets = { POD_KEY_PEPPER: "", POD_SESSION_SECRET: "", POD_ENCRYPTION_KEY: "" }
let server: BuiltPod
let receiver: Receiver
let values: Record<string, string> = {}

const prelude = async () => `
pod() { command "${process.execPath}" "${await builtProgram()}" "$@"; }
ids() { command "${process.execPath}" -e 'for(const it of JSON.parse(require("fs").readFileSync(0,"utf8")).data)if((it.keyName??it.name)===process.argv[1])console.log(it.id)' "$1"; }
value() { command "${process.execPath}" -e 'let it=JSON.parse(require("fs").readFileSync(0,"utf8"));for(const name of process.argv[1].split("."))it=(it.items??it)[name];if(it===undefined)process.exit(1);console.log(it)' "$1"; }
env() { shift 2; unset POD_API_KEY; "$@"; }
jq() { command cat > /dev/null; }
`

interface Ended {
  readonly code: number | null
  readonly output: string
}

const isEndless = (line: string) => /^pod (?:events tail|proposals watch)|pod start|pod mcp/.test(line)

/** The examples of commands that ask before they act. */
const asking: ReadonlySet<string> = new Set(askingExamplesOf(commands))

/**
 * Returns the example as a reader would type it on this machine. If a command asks before it acts, adds the flag that
 * answers yes, because this shell cannot answer.
 */
const typed = (line: string): string =>
  (asking.has(line) && !line.includes("--yes") ? `${line} --yes` : line)
    .replaceAll("https://pod.example.com", values["URL"] ?? "")
    .replaceAll("you@example.com", ownerEmail)
    .replaceAll("postgres://user@host:5432/pod", values["DATABASE"] ?? "")
    .replaceAll("svc_…", values["SECRET"] ?? "")
    .replace("PGPASSWORD=…", "PGPASSWORD=$PGPASSWORD")
    .replace(/(to-postgres .*--password-file) \.\/password/, "$1 ./database-password")
    .replace(/pod-2027\w+\.podbackup/, values["BACKUP"] ?? "")
    .replace("POD_PORT=8788", "POD_PORT=0")
    .replace("/mnt/backups", "./elsewhere")
    .replace("localhost:8787", `localhost:${values["SERVER_PORT"]}`)
    .replace(/0192f3ab(?:-…)?|0192…/, "$ID")

/** Runs an example in a shell of its own. An example without an end is interrupted when it has printed something. */
const run = async (line: string): Promise<Ended> => {
  const preparation = before
    .filter(([of]) => of.test(line))
    .map(([, text]) => text)
    .join("\n")
  const program = `${await prelude()}\nexec 3>&1 4>&2 > /dev/null 2>&1\n${preparation}\nexec >&3 2>&4\necho began >&2\n${typed(line)}`
  const child = spawn("bash", ["--norc", "-eu", "-o", "pipefail", "-c", program], {
    cwd: home.path,
    detached: true,
    env: { ...environmentOf(home.path), ...values, POD_OPEN_BROWSER: "off" },
    stdio: ["pipe", "pipe", "pipe"]
  })
  let output = ""
  const take = (part: Buffer) => {
    output += part.toString()
  }
  child.stdout.on("data", take)
  child.stderr.on("data", take)
  child.stdin.on("error", () => undefined)
  if (!isEndless(line) || line.includes("pod mcp")) child.stdin.end()
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const waiting = isEndless(line)
    ? setTimeout(
        () => child.pid !== undefined && process.kill(-child.pid, "SIGINT"),
        line.includes("start") ? 6_000 : 1_500
      )
    : undefined
  const code = await ended
  clearTimeout(waiting)
  return { code, output }
}

const hasTools = ["bash", "gzip"].every((tool) => spawnSync(tool, ["--version"]).status === 0)
const expectedCodes: Readonly<Record<string, number>> = {
  "POD_PORT=x pod config check": 3, // This example shows what the command prints about a wrong setting.
  'pod create note "Call the roofer" --require-applied': 0
}

/** Runs examples one after the other. Returns those that did not begin or had a wrong exit code. */
const faultsOf = async (lines: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const line of lines) {
    const { code, output } = await run(line)
    const isExpected = isEndless(line) ? [0, 130, null].includes(code) : code === (expectedCodes[line] ?? 0)
    if (!isExpected || !output.startsWith("began")) faults.push(`${line}: ended with ${code}: ${output}`)
  }
  return faults
}

const isOf = (kinds: ReadonlyArray<RegExp>) => (line: string) => kinds.some((kind) => kind.test(line))
const isRun = (line: string) => !(line in notRun)
const isUnclaimed = isOf(unclaimed)
const isStopped = isOf(stopped)

const start = () =>
  startPod({
    dataDir: data,
    workDir: home.path,
    environment: { ...ownSecrets, POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "", POD_WEBHOOK_ALLOW: "127.0.0.1" }
  })

/** Runs a command. Returns what the command prints, without the line break at the end. */
const printed = async (line: string): Promise<string> => {
  const { code, output } = await run(line)
  assert.strictEqual(code, 0, output)
  return output.replace(/^began\n/, "").trim()
}

describe.skipIf(!hasTools)("the examples of the commands (skipped without bash and gzip)", () => {
  const databases: Array<TestDatabase> = []

  /** Makes an empty database, because each example of the move to PostgreSQL needs one. */
  const anEmptyDatabase = async (serverUrl: string): Promise<Record<string, string>> => {
    const database = await anOddDatabaseOn(serverUrl, {})
    databases.push(database)
    const { password } = new URL(database.url)
    writeFileSync(join(home.path, "database-password"), password)
    return { DATABASE: database.url.replace(`:${password}@`, "@"), PGPASSWORD: password }
  }
  beforeAll(async () => {
    mkdirSync(data)
    for (const folder of ["other", ".local/share/bash-completion/completions"])
      mkdirSync(join(home.path, folder), { recursive: true })
    writeFileSync(join(home.path, "password"), ownerPassword)
    writeFileSync(join(home.path, "note.json"), JSON.stringify({ profileSlug: "note", title: "Call the roofer" }))
    receiver = await aReceiver()
    server = await start()
    values = { URL: server.baseUrl, SERVER_PORT: String(server.port), EMAIL: ownerEmail }
  })
  afterAll(async () => {
    await server?.terminate()
    await receiver?.stop()
    for (const database of databases) await database.drop()
    home.remove()
  })

  it("every example that this suite lists as not run exists in the help of the commands", () => {
    assert.deepStrictEqual(
      Object.keys(notRun).filter((line) => !examples.includes(line)),
      []
    )
    assert.isAbove(examples.length, 90)
  })

  it("every command in the examples for a pod without an owner succeeds, also the command that creates the owner", async () => {
    assert.deepStrictEqual(await faultsOf(examples.filter(isRun).filter(isUnclaimed)), [])
  })

  it("every command in the examples for a running pod succeeds", async () => {
    await printed("pod seed demo --quiet")
    const hook = JSON.stringify({ name: "slack", url: receiver.url, eventTypes: ["*"] })
    await printed(`pod api POST /trpc/webhooks.create --data '${hook}'`)
    await printed(`pod api POST /api/hub/workspaces/from-definition --data '{"workspaceName":"Acme"}'`)
    await printed('pod create note "The first note"')
    const secret = await printed(
      "pod keys create --name env --scope hub-protocol.read --scope mcp.read --permission entity.read --quiet"
    )
    values = { ...values, SECRET: secret, WORK_POD_KEY: secret }
    const backup = await printed("pod backup --json | value data.path")
    values = { ...values, BACKUP: backup }
    await receiver.until(() => true)
    const lines = examples.filter(isRun).filter((line) => !isUnclaimed(line) && !isStopped(line))
    assert.deepStrictEqual(await faultsOf(lines), [])
  })

  it("every command in the examples for a stopped pod succeeds", async (context) => {
    if (postgresUrl === null) return context.skip(`no PostgreSQL: ${postgresSkipped}`)
    await server.terminate()
    // One command makes both files, because the test deletes the files of earlier exports before each example of `pod
    // export`.
    await printed(
      "rm -f pod.ndjson.gz acme.ndjson; ID=$(pod api GET /api/hub/workspaces --json | value data.workspaces.0.id); pod export --out pod.ndjson.gz; pod export --workspace $ID -o acme.ndjson"
    )
    const faults: Array<string> = []
    for (const line of examples.filter(isRun).filter(isStopped)) {
      if (line.includes("to-postgres")) values = { ...values, ...(await anEmptyDatabase(postgresUrl)) }
      faults.push(...(await faultsOf([line])))
    }
    assert.deepStrictEqual(faults, [])
  })
})
