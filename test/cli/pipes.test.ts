/**
 * Tests what the command line writes into pipes and to a terminal: stdout contains only data, and only a terminal gets
 * colours.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { aCommandLine, aTerminal, builtProgram, environmentOf, type Run } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const home = aFolder()
const environment: Record<string, string> = {}
/** The built program, with pipes in place of a terminal. */
const program = aCommandLine(home.path, { environment })
const pod = aCommandInProcess(home.path, { environment })
const inTerminal = aTerminal(home.path, { environment })
const escape = String.fromCharCode(27)
/** A pod in this process. The command line reaches it by its address and by the socket in its data directory. */
let server: TestPod
let port: string

beforeAll(async () => {
  server = await aPod({ kind: "memory" }, {}, { hasSocket: true })
  environment["POD_DATA_DIR"] = server.dataDir!
  port = new URL(server.baseUrl).port
})
afterAll(async () => {
  await server?.stop()
  home.remove()
})

/** Runs a shell line with `pod` as a command. */
const shell = async (line: string): Promise<Run> => {
  const program = await builtProgram()
  const script = `pod() { ${process.execPath} ${program} "$@"; }\n${line}`
  const child = spawn("bash", ["-c", script], { cwd: home.path, env: { ...environmentOf(home.path), ...environment } })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr })))
}

describe("the command line in pipes", () => {
  it("the command line writes no colours and no control characters into a pipe, neither in the help nor in answers nor in errors", async () => {
    for (const args of [
      ["--help"],
      ["keys", "--help"],
      ["keys", "create", "--help"],
      ["status"],
      ["keys", "list"],
      ["nothing"]
    ]) {
      const { stderr, stdout } = await pod(args)
      assert.notInclude(stdout + stderr, escape, args.join(" "))
    }
    for (const args of [["--help"], ["keys", "list"], ["nothing"]]) {
      const { stderr, stdout } = await program(args)
      assert.notInclude(stdout + stderr, escape, args.join(" "))
    }
  })

  it("the help of the command line shows examples before the commands, and `pod` without arguments prints this help", async () => {
    const { code, stdout } = await pod(["--help"])
    assert.strictEqual(code, 0)
    assert.isBelow(stdout.indexOf("Examples"), stdout.indexOf("Commands"))
    assert.strictEqual((await pod([])).stdout, stdout)
  })

  it("a global option of the command line has the same effect before, between and after the words of a command", async () => {
    for (const args of [
      ["--json", "keys", "list"],
      ["keys", "--json", "list"],
      ["keys", "list", "--json"],
      ["keys", "list", "-o", "json"],
      ["keys", "list", "--output=json"]
    ]) {
      const { code, stderr, stdout } = await pod(args)
      assert.strictEqual(code, 0, stderr)
      assert.isArray((JSON.parse(stdout) as { data: unknown }).data)
    }
  })

  it("an empty list is printed as `[]` with `--json`, and without `--json` nothing is printed on stdout", async () => {
    const roles = JSON.parse((await pod(["roles", "list", "--json"])).stdout) as {
      data: unknown
      meta: { requestId: unknown }
    }
    assert.deepStrictEqual(roles.data, [])
    assert.isString(roles.meta.requestId)
    const people = await pod(["roles", "list"])
    assert.strictEqual(people.stdout, "")
    assert.include(people.stderr, "pod roles create")
  })

  it("if a command creates a key with `--quiet`, the standard output contains only the secret of the key, so that a shell can use the secret", async () => {
    const taken = await shell(
      "POD_API_KEY=$(pod keys create --quiet --name script) && export POD_API_KEY && pod whoami --json"
    )
    assert.strictEqual(taken.code, 0, taken.stderr)
    const { data: me } = JSON.parse(taken.stdout.trim()) as { data: Record<string, unknown> }
    // The environment names the data directory, but a command with a key uses HTTP and the address from the settings.
    assert.strictEqual(me["credential"], "key")
  })

  it("a shell can read the addresses of the pod and of its MCP endpoint from the output of `pod status -o env`", async () => {
    const { code, stdout } = await shell('eval "$(pod status -o env)" && echo "$POD_URL $POD_MCP_URL"')
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout.trim(), `http://localhost:${port} http://localhost:${port}/mcp`)
  })

  it("a pod does not warn of the variables that `pod status -o env` sets", async () => {
    const { code, stdout } = await shell('set -a && eval "$(pod status -o env)" && pod config check')
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout.trim(), "The settings are correct.")
  })

  it("a command does not fail if another program reads its output through a pipe and ends early", async () => {
    const { code, stderr } = await shell("set -o pipefail; pod api GET /openapi.json | head -c 10 > first.txt")
    assert.strictEqual(code, 0, stderr)
  })

  it("with `--describe` a command prints a description of itself for programs, and does not run", async () => {
    const { stdout } = await pod(["keys", "create", "--describe"])
    const described = JSON.parse(stdout) as {
      parameters: ReadonlyArray<{ name: string }>
      exitCodes: Record<string, string>
    }
    assert.isTrue(described.parameters.some(({ name }) => name.includes("--permission")))
    assert.property(described.exitCodes, "130")
  })

  it("the command line removes control characters of a record from what it prints on a terminal", async () => {
    await pod(["create", "note", `bad ${escape}[2J title`])
    const { stdout } = await pod(["get", "note"])
    assert.notInclude(stdout, escape)
    assert.include(stdout, "\\u001b[2J")
  })
})

describe("the command line in a terminal", () => {
  it("the command line prints colours in a terminal, unless `--no-color` is given or the variable NO_COLOR is set", async () => {
    assert.include((await inTerminal(["--help"])).screen, `${escape}[1m`)
    assert.notInclude((await inTerminal(["--help", "--no-color"])).screen, `${escape}[1m`)
    const withoutColours = aTerminal(home.path, { environment: { ...environment, NO_COLOR: "1" } })
    assert.notInclude((await withoutColours(["--help"])).screen, `${escape}[1m`)
  })

  it("with NO_COLOR a question of the command line has no colours", async () => {
    await pod(["keys", "create", "--name", "plain", "--quiet"])
    const withoutColours = aTerminal(home.path, { environment: { ...environment, NO_COLOR: "1" } })
    const { code, screen } = await withoutColours(["keys", "revoke", "plain"], [["cannot be undone", "n"]])
    assert.strictEqual(code, 130)
    assert.include(screen, "Revoke the key plain?")
    assert.notMatch(screen, new RegExp(`${escape}\\[[0-9;]*m`))
  })

  it("`pod keys revoke` asks in a terminal before it revokes a key, and revokes nothing if the answer is no", async () => {
    await pod(["keys", "create", "--name", "kept", "--quiet"])
    const declined = await inTerminal(["keys", "revoke", "kept"], [["cannot be undone", "n"]])
    assert.strictEqual(declined.code, 130)
    assert.strictEqual((await pod(["keys", "show", "kept", "--json"])).code, 0)
    const done = await inTerminal(["keys", "revoke", "kept"], [["cannot be undone", "y"]])
    assert.strictEqual(done.code, 0, done.screen)
    const { data: key } = JSON.parse((await pod(["keys", "show", "kept", "--json"])).stdout) as {
      data: Record<string, unknown>
    }
    assert.strictEqual(key["isActive"], false)
  })

  it("with `--wizard` a command asks at a terminal for each option, shows the command line, and runs it", async () => {
    const { code, screen } = await inTerminal(
      ["--wizard", "get", "--no-color"],
      [
        ["limit", "\r"],
        ["id or kind", "note\r"]
      ]
    )
    assert.strictEqual(code, 0, screen)
    assert.match(screen, /pod get .*note/)
  })

  it("without a terminal, or with `--no-input`, `--wizard` is refused with exit code 2, and the command does nothing", async () => {
    const { code, stderr, stdout } = await pod(["keys", "create", "--wizard"])
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.include(stderr, "--wizard asks at a terminal")
    assert.strictEqual((await inTerminal(["keys", "create", "--wizard", "--no-input"])).code, 2)
  })

  it("Ctrl-C at a question of the command line ends the command with exit code 130", async () => {
    await pod(["keys", "create", "--name", "untouched", "--quiet"])
    const { code } = await inTerminal(["keys", "revoke", "untouched"], [["cannot be undone", "\u0003"]])
    assert.strictEqual(code, 130)
  })
})
