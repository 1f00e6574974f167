/**
 * Tests each exit code of the command line, and what the command prints with it. The built program ends with each exit
 * code once. All other commands run in the process of the test.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { aCommandLine, type Run } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPod, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"

const home = aFolder()
const environment: Record<string, string> = {}
const pod = aCommandInProcess(home.path, { environment })
const program = aCommandLine(home.path, { environment })
let server: TestPod

beforeAll(async () => {
  server = await aPod({ kind: "memory" }, {}, { hasSocket: true })
  environment["POD_DATA_DIR"] = server.dataDir!
})
afterAll(async () => {
  await server.stop()
  home.remove()
})

/** Returns the failure that a command prints with `--json`. */
const failureOf = ({ stderr }: Run): Record<string, unknown> =>
  (JSON.parse(stderr) as { error: Record<string, unknown> }).error

/** Starts a server in place of a pod. The server gives the same answer to every request. */
const aStandIn = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const standIn: Server = createServer((_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve))
  const { port } = standIn.address() as AddressInfo // the server listens on TCP, so its address has a port
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => standIn.close(resolve)) }
}

describe("exit codes of the command line", () => {
  it("a command that succeeds ends with exit code 0, and its standard output contains only the data", async () => {
    const run = await program(["status", "--json"])
    assert.strictEqual(run.code, 0, run.stderr)
    const { data: status, meta } = JSON.parse(run.stdout) as {
      data: Record<string, unknown>
      meta: Record<string, unknown>
    }
    assert.strictEqual(status["ready"], true)
    assert.strictEqual(status["hasOwner"], true)
    assert.strictEqual(status["podUrl"], server.baseUrl.replace("127.0.0.1", "localhost"))
    assert.isString(meta["requestId"])
    assert.strictEqual(run.stderr, "")
  })

  it("a command ends with exit code 1 if the server answers with status 500", async () => {
    const standIn = await aStandIn(500, { error: "ServerError", message: "It broke." })
    const run = await program(["api", "GET", "/x", "--url", standIn.url, "--json"])
    await standIn.stop()
    assert.strictEqual(run.code, 1)
    assert.strictEqual(failureOf(run)["message"], "It broke.")
    assert.strictEqual(run.stdout, "")
  })

  it("an unknown command ends with exit code 2, and the message suggests the command that was probably meant", async () => {
    const root = await program(["statsu"])
    assert.strictEqual(root.code, 2)
    assert.include(root.stderr, "Did you mean pod status?")
    const below = await pod(["keys", "creat", "--json"])
    assert.strictEqual(below.code, 2)
    assert.strictEqual(failureOf(below)["hint"], "Did you mean pod keys create?")
    assert.strictEqual(below.stdout, "")
  })

  it("a command with a wrong option, without a required option or with content that the pod refuses ends with exit code 2", async () => {
    for (const args of [
      ["keys", "create", "--nmae", "x"],
      ["keys", "create"],
      ["keys", "create", "--name", "x", "--expires", "soon"],
      ["keys", "create", "--name", "x", "--scope", "mcp.raed"],
      ["status", "--output", "xml"],
      ["status", "--timeout", "soon"],
      ["status", "extra"],
      ["keys"],
      ["api", "GET", "api"],
      ["api", "POST", "/api/hub/entities", "--data", "{"],
      ["api", "POST", "/api/hub/entities", "--data", '{"titel":"x"}'],
      ["status", "--url", "http://localhost:1", "--data-dir", home.path]
    ]) {
      const run = await pod(args)
      assert.strictEqual(run.code, 2, `${args.join(" ")}: ${run.stderr}`)
      assert.strictEqual(run.stdout, "", args.join(" "))
      assert.include(run.stderr, "Error")
    }
    assert.include((await pod(["keys", "create"])).stderr, "See pod keys create --help.")
  })

  it("a command ends with exit code 3 if a setting is wrong or if other users can read the file of credentials", async () => {
    const settings = await program(["status"], { environment: { POD_PORT: "many" } })
    assert.strictEqual(settings.code, 3, settings.stderr)
    assert.include(settings.stderr, "POD_PORT")
    const file = join(home.path, "config/pod/credentials.json")
    mkdirSync(join(home.path, "config/pod"), { recursive: true })
    writeFileSync(file, '{"current":null,"profiles":{}}')
    chmodSync(file, 0o644)
    const readable = await pod(["status"])
    assert.strictEqual(readable.code, 3)
    assert.include(readable.stderr, "chmod 600")
    chmodSync(file, 0o600)
    assert.strictEqual((await pod(["status"])).code, 0)
  })

  it("a command without a valid credential ends with exit code 4", async () => {
    const url = ["--url", server.baseUrl]
    assert.strictEqual((await program(["whoami", ...url])).code, 4)
    assert.strictEqual((await pod(["whoami", ...url], { environment: { POD_API_KEY: "svc_user_wrong" } })).code, 4)
    const wrong = await pod(["login", ...url, "--email", ownerEmail], {
      environment: { POD_PASSWORD: "not the password" }
    })
    assert.strictEqual(wrong.code, 4)
    assert.include(wrong.stderr, "pod owner reset-password")
  })

  it("a command that the caller may not use ends with exit code 5, and the hint contains an address where the caller can read the reasons", async () => {
    const made = await pod(["keys", "create", "--name", "reader", "--quiet"])
    assert.strictEqual(made.code, 0, made.stderr)
    const environment = { POD_API_KEY: made.stdout.trim() }
    const run = await program(
      ["api", "POST", "/api/hub/entities", "--data", '{"title":"x"}', "--url", server.baseUrl, "--json"],
      {
        environment
      }
    )
    assert.strictEqual(run.code, 5, run.stderr)
    assert.include(String(failureOf(run)["hint"]), "/api/hub/auth/decisions/")
    const session = await pod(["keys", "list", "--url", server.baseUrl], { environment })
    assert.strictEqual(session.code, 5, session.stderr)
  })

  it("a command ends with exit code 5 if the data directory belongs to another user, and does not say that there is no pod", async () => {
    const closed = mkdtempSync(join(tmpdir(), "pod-closed-"))
    chmodSync(closed, process.getuid?.() === 0 ? 0o700 : 0)
    const asNobody = { asNobody: true, cwd: "/", environment: { XDG_CONFIG_HOME: "/nowhere" } }
    for (const words of [["status"], ["keys", "list"]]) {
      const run = await program([...words, "--data-dir", closed, "--json"], asNobody)
      assert.strictEqual(run.code, 5, run.stderr)
      assert.strictEqual(failureOf(run)["code"], "DIRECTORY_FORBIDDEN")
    }
    rmSync(closed, { recursive: true })
  })

  it("if the pod of a stored sign-in cannot be reached, the hint names the sign-in and the ways to another pod", async () => {
    const file = join(home.path, "config/pod/credentials.json")
    mkdirSync(join(home.path, "config/pod"), { recursive: true })
    writeFileSync(file, '{"current":"old","profiles":{"old":{"url":"http://127.0.0.1:1","token":"x"}}}', {
      mode: 0o600
    })
    const stored = await pod(["whoami", "--json"])
    const given = await pod(["whoami", "--url", "http://127.0.0.1:1", "--json"])
    rmSync(file)
    assert.strictEqual(stored.code, 8, stored.stderr)
    assert.include(String(failureOf(stored)["hint"]), "the sign-in old")
    assert.include(String(failureOf(stored)["hint"]), "--data-dir")
    assert.notInclude(String(failureOf(given)["hint"]), "sign-in")
  })

  it("a command ends with exit code 6 if its record, kind of entity, sign-in profile or data directory does not exist", async () => {
    assert.strictEqual((await program(["keys", "show", "nobody"])).code, 6)
    assert.strictEqual((await pod(["api", "GET", "/api/hub/entities/0192f3ab-0000-7000-8000-000000000000"])).code, 6)
    assert.strictEqual((await pod(["get", "nothing"])).code, 6)
    const none = await pod(["get", "task", "--json"])
    assert.deepStrictEqual([none.code, (JSON.parse(none.stdout) as { data: unknown }).data], [0, []])
    assert.strictEqual((await pod(["status", "--profile", "nowhere"])).code, 6)
    assert.strictEqual((await pod(["status", "--data-dir", join(home.path, "empty")])).code, 6)
  })

  it("a command that the pod refuses because of a conflict ends with exit code 7", async () => {
    const run = await program(["setup-link", "--json"])
    assert.strictEqual(run.code, 7, run.stderr)
    assert.strictEqual(failureOf(run)["code"], "ALREADY_CLAIMED")
  })

  it("a command ends with exit code 8 if the pod does not answer, and the message of the command says that another attempt might succeed", async () => {
    const refused = await program(["status", "--url", "http://127.0.0.1:1", "--json"])
    assert.strictEqual(refused.code, 8)
    assert.strictEqual(failureOf(refused)["retryable"], true)
    const silent: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const { port } = silent.address() as AddressInfo // the server listens on TCP, so its address has a port
    const late = await pod(["status", "--url", `http://127.0.0.1:${port}`, "--timeout", "100ms", "--json"])
    silent.closeAllConnections()
    silent.close()
    assert.strictEqual(late.code, 8)
    assert.strictEqual(failureOf(late)["code"], "TIMEOUT")
  })

  it("a command that exceeds the rate limit ends with exit code 9, and its message says how long to wait", async () => {
    const standIn = await aStandIn(429, { error: "Too many calls." }, { "retry-after": "7" })
    const run = await program(["status", "--url", standIn.url, "--json"])
    await standIn.stop()
    assert.strictEqual(run.code, 9)
    assert.strictEqual(failureOf(run)["hint"], "Try again in 7 s.")
  })

  it("a command whose write waits for approval ends with exit code 0, or with exit code 10 if the option `--require-applied` is given", async () => {
    await pod(["api", "POST", "/trpc/agents.create", "--data", '{"name":"Scribe","capabilities":["entity.note"]}'])
    const key = await pod([
      "keys",
      "create",
      "--name",
      "scribe",
      "--agent",
      "Scribe",
      "--permission",
      "entity.note",
      "--scope",
      "hub-protocol.write",
      "--quiet"
    ])
    assert.strictEqual(key.code, 0, key.stderr)
    const environment = { POD_API_KEY: key.stdout.trim(), POD_URL: server.baseUrl }
    const write = ["create", "note", "Call the roofer", "--json"]
    const waiting = await pod(write, { environment })
    assert.strictEqual(waiting.code, 0, waiting.stderr)
    assert.strictEqual((JSON.parse(waiting.stdout) as { data: { status: string } }).data.status, "proposed")
    const required = await program([...write, "--require-applied"], { environment })
    assert.strictEqual(required.code, 10, required.stderr)
  })

  it("the command line uses the sign-in of a person until the person signs out, and the person can change their name with it", async () => {
    const signedIn = await program(["login", "--url", server.baseUrl, "--email", ownerEmail, "--password-file", "-"], {
      input: `${ownerPassword}\n`
    })
    assert.strictEqual(signedIn.code, 0, signedIn.stderr)
    const me = await pod(["whoami", "--json"])
    assert.strictEqual(
      (JSON.parse(me.stdout) as { data: Record<string, unknown> }).data["credential"],
      "session",
      me.stderr
    )
    const renamed = await pod(["whoami", "--rename", "Ana Lind"])
    assert.include(renamed.stdout, `Ana Lind <${ownerEmail}>`, renamed.stderr)
    assert.strictEqual((await pod(["whoami", "--rename", " "])).code, 2)
    // A person without a name has the e-mail address as the name. The command prints it once.
    const unnamed = await pod(["whoami", "--rename", ownerEmail])
    assert.strictEqual(unnamed.stdout.split(ownerEmail).length, 2, unnamed.stdout)
    assert.strictEqual((await pod(["logout"])).code, 0)
    const after = await pod(["whoami", "--json"])
    assert.strictEqual(
      (JSON.parse(after.stdout) as { data: Record<string, unknown> }).data["credential"],
      "local operator"
    )
  })
})
