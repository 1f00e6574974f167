/**
 * Commands for a pod that runs in the process of the test: what they print, refuse and change. They reach the pod
 * through the socket in its data directory.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { aCommandLine, aStartedCommand, aTerminal, environmentOf, type Run } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aPod, type Caller, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"
import { aReceiver, quickWebhooks } from "../support/receiver.ts"

const home = aFolder()
const nowhere = "0192f3ab-0000-7000-8000-000000000000"
let server: TestPod
let pod: ReturnType<typeof aCommandLine>
let started: ReturnType<typeof aStartedCommand>
let agent: Caller

beforeAll(async () => {
  server = await aPod({ kind: "memory" }, {}, { hasSocket: true, webhooks: quickWebhooks() })
  const environment = { POD_DATA_DIR: server.dataDir! }
  pod = aCommandLine(home.path, { environment })
  started = aStartedCommand(home.path, { environment })
  const { body } = await server.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
  agent = await server.aKey(server.owner, {
    agentId: body.result.data.id,
    grant: { permissions: ["entity.note", "proposal.read"] }
  })
})
afterAll(async () => {
  await server?.stop()
  home.remove()
})

type Fields = Readonly<Record<string, any>>

const dataOf = ({ code, stderr, stdout }: Run): any => {
  assert.strictEqual(code, 0, stderr)
  return (JSON.parse(stdout) as { data: unknown }).data
}
const errorOf = ({ stderr }: Run): Fields => (JSON.parse(stderr) as { error: Fields }).error
const json = async (...args: ReadonlyArray<string>) => dataOf(await pod([...args, "--json"]))
const note = (title: string) => ({ title, profileSlug: "note" })
const propose = async (title: string): Promise<string> =>
  (await agent.send("POST", "/api/hub/entities", note(title))).body.proposalId

describe("pod events", () => {
  it("`pod events tail` prints the matching events that happen after its start, and ends after the given number", async () => {
    const tail = await started([
      "events",
      "tail",
      "--type",
      "entity.note.create",
      "--count",
      "2",
      "-o",
      "ndjson",
      "--debug"
    ])
    await tail.untilOutput("→ 200")
    const ids: Array<string> = []
    for (const title of ["one", "two"]) {
      await server.owner.send("POST", "/api/hub/projects", { name: title })
      ids.push((await server.owner.send("POST", "/api/hub/entities", note(title))).body.id)
    }
    const { code, stderr, stdout } = await tail.ended
    assert.strictEqual(code, 0, stderr)
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Fields)
    assert.deepStrictEqual(
      events.map(({ subjectId, type }) => [type, subjectId]),
      ids.map((id) => ["entity.note.create", id])
    )
  })

  it("`pod events tail` with a key that may not read events prints the refusal and ends", async () => {
    const key = await server.aKey(server.owner, { scope: ["hub-protocol.write"] })
    const refused = await pod(["events", "tail", "--json"], { environment: { POD_API_KEY: key.secret } })
    assert.strictEqual(refused.code, 5, refused.stderr)
    assert.strictEqual(errorOf(refused)["code"], "SCOPE_MISSING")
  })

  it("`pod events trace` prints the tree of causes and effects of an event, and marks this event in the tree", async () => {
    const id = await propose("caused by an approval")
    await json("proposals", "approve", id)
    const [made] = await json("events", "list", "--type", "entity.note.create", "-n", "1")
    const drawn = await pod(["events", "trace", made.id])
    assert.strictEqual(drawn.code, 0, drawn.stderr)
    const lines = drawn.stdout.trimEnd().split("\n")
    assert.strictEqual(lines.filter((line) => line.includes("→ ")).length, 1, drawn.stdout)
    assert.include(
      lines.find((line) => line.includes("→ ")),
      made.id
    )
    const tree = await json("events", "trace", made.id)
    const idsIn = (branch: Fields): ReadonlyArray<string> => [
      branch["event"].id,
      ...branch["causes"].flatMap((each: Fields) => idsIn(each))
    ]
    assert.include(idsIn(tree), made.id)
    assert.strictEqual((await pod(["events", "trace", nowhere])).code, 6)
  })
})

describe("pod proposals", () => {
  it("`pod proposals list` and `pod proposals show` print the waiting changes, and `pod proposals approve` writes exactly the change that was shown", async () => {
    const id = await propose("call the roofer")
    assert.include(
      (await json("proposals", "list")).map((each: Fields) => each["id"]),
      id
    )
    const shown = await pod(["proposals", "show", id])
    assert.include(shown.stdout, "call the roofer")
    assert.include(shown.stdout, "pending")
    const approved = await json("proposals", "approve", id, "--yes")
    const { body } = await server.owner.send("GET", `/api/hub/entities/${approved.primaryId}`)
    assert.strictEqual(body.title, "call the roofer")
    const again = await pod(["proposals", "approve", id, "--json"])
    assert.strictEqual(again.code, 7, again.stderr)
    assert.strictEqual((await pod(["proposals", "show", nowhere])).code, 6)
  })

  it("the command `pod proposals reject` changes no record, and the agent can read the reason of the rejection", async () => {
    const id = await propose("buy a boat")
    const rejected = await pod(["proposals", "reject", id, "--reason", "We have one."])
    assert.strictEqual(rejected.stdout, "Rejected.\n", rejected.stderr)
    const { body } = await agent.send("GET", `/api/hub/proposals/${id}`)
    assert.include(JSON.stringify(body), "We have one.")
    assert.deepStrictEqual(
      (await json("proposals", "list", "--status", "rejected")).map((each: Fields) => each["id"]),
      [id]
    )
  })

  it("`pod proposals watch` prints the waiting proposals, and then each change, until Ctrl-C", async () => {
    const first = await propose("there before")
    const watch = await started(["proposals", "watch", "--debug"])
    await watch.untilOutput("there before")
    await watch.untilOutput("entityType=proposal → 200")
    const second = await propose("made meanwhile")
    await watch.untilOutput("made meanwhile")
    watch.signal("SIGINT")
    const { code, stdout } = await watch.ended
    assert.strictEqual(code, 130)
    for (const id of [first, second]) await server.owner.send("POST", `/api/hub/proposals/${id}/reject`, {})
    assert.match(stdout, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4} {2}\S+ {2}pending/m)
  })
})

describe("pod webhooks", () => {
  it("the commands `pod webhooks test`, `deliveries` and `replay` accept the name of a webhook", async () => {
    const receiver = await aReceiver((response) => void response.writeHead(500).end())
    await server.owner.mutate("webhooks.create", {
      name: "slack",
      url: receiver.url,
      eventTypes: ["entity.task.create"]
    })
    assert.deepInclude((await json("webhooks", "list"))[0], { name: "slack", active: true })
    const sent = await pod(["webhooks", "test", "slack"])
    assert.include(sent.stdout, "is sending the test event", sent.stderr)
    await receiver.until(() => true)
    const unfit = await pod(["webhooks", "replay", "slack"])
    assert.strictEqual(unfit.code, 2, unfit.stderr)
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--failed", "--since", "soon"])).code, 2)
    await server.owner.send("POST", "/api/hub/entities", { title: "sent", profileSlug: "task" })
    await receiver.until(({ body }) => body.type === "entity.task.create")
    const calls = await json("webhooks", "deliveries", "slack")
    assert.isTrue(
      calls.some((each: Fields) => each["eventType"] === "entity.task.create"),
      JSON.stringify(calls)
    )
    const [call] = calls
    assert.isString((await pod(["webhooks", "deliveries", "slack"])).stdout.match(call.id)?.[0])
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--missed", "--since", "7d"])).code, 0)
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--failed", "--since", "30m"])).code, 0)
    assert.strictEqual((await pod(["webhooks", "deliveries", "other"])).code, 6)
    await receiver.stop()
  })
})

describe("pod roles", () => {
  it("the commands `pod roles create`, `show`, `edit` and `delete` work on a role, and `edit` keeps the fields for which no option is given", async () => {
    const workspaceId = await server.aWorkspace(server.owner, "Acme")
    assert.strictEqual((await pod(["roles", "create", "--name", "empty"])).code, 2)
    const made = await json(
      "roles",
      "create",
      "--name",
      "reader",
      "--permission",
      "entity.note.read",
      "--workspace",
      "Acme"
    )
    assert.deepInclude(made.grant, { permissions: ["entity.note.read"], workspaceIds: [workspaceId] })
    const edited = await json("roles", "edit", "reader", "--permission", "entity.read", "--description", "Reads.")
    assert.deepInclude(edited.grant, { permissions: ["entity.read"], workspaceIds: [workspaceId] })
    assert.strictEqual(edited.description, "Reads.")
    const renamed = await json("roles", "edit", made.id.slice(0, 13), "--name", "researcher")
    assert.deepInclude(renamed, { name: "researcher", description: "Reads." })
    assert.deepInclude(renamed.grant, { permissions: ["entity.read"], workspaceIds: [workspaceId] })
    assert.include((await pod(["roles", "show", "researcher"])).stdout, "entity.read")
    assert.strictEqual((await pod(["roles", "edit", "reader", "--name", "x"])).code, 6)
    assert.strictEqual((await pod(["roles", "edit", "researcher", "--permission", "entity..read"])).code, 2)
    assert.strictEqual((await pod(["roles", "delete", "researcher", "--yes"])).code, 0)
    assert.deepStrictEqual(await json("roles", "list"), [])
  })
})

describe("pod doctor", () => {
  const stateOf = (checks: ReadonlyArray<Fields>) =>
    Object.fromEntries(checks.map(({ name, state }) => [name, state as string]))

  it("`pod doctor` finds no fault in a healthy pod, over its socket and over its address", async () => {
    const inside = stateOf(await json("doctor"))
    assert.deepInclude(inside, {
      node: "ok",
      settings: "ok",
      pod: "ok",
      clock: "ok",
      authorization: "ok",
      "body size": "ok",
      "header size": "ok",
      mcp: "ok",
      streams: "ok"
    })
    const outside = stateOf(await json("doctor", "--url", server.baseUrl))
    assert.notInclude(Object.values(outside), "failed")
    const passed = { pod: "ok", headers: "ok", authorization: "ok", "body size": "ok", "header size": "ok", mcp: "ok" }
    assert.deepInclude(outside, { ...passed, streams: "warning" })
    const { key } = await json(
      "keys",
      "create",
      "--name",
      "examined",
      "--scope",
      "mcp.read",
      "--scope",
      "realtime:observe"
    )
    const environment = { POD_API_KEY: key as string }
    const withKey = stateOf(dataOf(await pod(["doctor", "--url", server.baseUrl, "--json"], { environment })))
    assert.deepInclude(withKey, { ...passed, streams: "ok" })
  })

  it("`pod doctor` reports a proxy that removes headers, and its exit code shows that it found a fault", async () => {
    const answered = createServer((request, response) => {
      response.writeHead(request.url === "/readyz" ? 200 : 404, { date: new Date(0).toUTCString() }).end("{}")
    })
    await new Promise<void>((resolve) => answered.listen(0, "127.0.0.1", resolve))
    const { port } = answered.address() as AddressInfo // the server listens on TCP, so its address has a port
    const ill = await pod(["doctor", "--url", `http://127.0.0.1:${port}`, "--json"])
    answered.close()
    assert.strictEqual(ill.code, 1, ill.stderr)
    const checks = stateOf((JSON.parse(ill.stdout) as { data: ReadonlyArray<Fields> }).data)
    assert.deepInclude(checks, {
      pod: "ok",
      clock: "failed",
      headers: "warning",
      authorization: "failed",
      "body size": "warning",
      "header size": "warning",
      mcp: "failed",
      streams: "warning"
    })
    const gone = await pod(["doctor", "--url", "http://127.0.0.1:1", "--json"])
    assert.strictEqual(gone.code, 8, gone.stderr)
    const unset = await pod(["doctor", "--json"], { environment: { POD_PORT: "many" } })
    assert.strictEqual(unset.code, 3, unset.stderr)
  })

  it("`pod doctor` reports a proxy that refuses large bodies and holds streams back", async () => {
    const proxy = createServer((request, response) => {
      const { headers, method, url } = request
      if (Number(headers["content-length"] ?? 0) > 1_000_000) return void response.writeHead(413).end("<html></html>")
      if (url?.startsWith("/api/hub/events/stream") === true) return
      const passed = httpRequest(server.baseUrl + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      request.pipe(passed)
    })
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
    const { port } = proxy.address() as AddressInfo // the server listens on TCP, so its address has a port
    const { key } = await json("keys", "create", "--name", "behind a proxy", "--scope", "realtime:observe")
    const asked = ["doctor", "--url", `http://127.0.0.1:${port}`, "--timeout", "1s", "--json"]
    const ill = await pod(asked, { environment: { POD_API_KEY: key as string } })
    proxy.closeAllConnections()
    proxy.close()
    assert.strictEqual(ill.code, 1, ill.stderr)
    const checks = stateOf((JSON.parse(ill.stdout) as { data: ReadonlyArray<Fields> }).data)
    assert.deepInclude(checks, { pod: "ok", "body size": "warning", "header size": "ok", streams: "failed" })
  })
})

describe("pod config", () => {
  it("`pod config list` shows the source of each setting, and does not show the value of a secret", async () => {
    const environment = { POD_PORT: "9999", POD_OWNER_EMAIL: ownerEmail, POD_OWNER_PASSWORD: "a very secret password" }
    const run = await pod(["config", "list", "--json"], { environment })
    assert.notInclude(run.stdout, "a very secret password")
    const rows = new Map(dataOf(run).map((row: Fields) => [row["name"], row]))
    assert.deepInclude(rows.get("POD_PORT"), { value: "9999", source: "environment" })
    assert.deepInclude(rows.get("POD_OWNER_PASSWORD"), { value: "set" })
    assert.deepInclude(rows.get("POD_SESSION_TTL"), { value: "14d" })
    assert.deepInclude(rows.get("POD_HOST"), { source: "default" })
  })

  it("`pod config list` marks the settings that are wrong, lists all others, and does not show a wrong value", async () => {
    const environment = { POD_PORT: "eightyish", POD_MODE: "production", POD_LLM_API_KEY_FILE: "/absent" }
    const run = await pod(["config", "list", "--json"], { environment })
    assert.notInclude(run.stdout, "eightyish")
    const rows = new Map<string, Fields>(dataOf(run).map((row: Fields) => [row["name"], row]))
    assert.include(rows.get("POD_PORT")?.["fault"], "must be a whole number")
    assert.include(rows.get("POD_LLM_KEY")?.["fault"], "must be the path of a readable file")
    assert.deepInclude(rows.get("POD_MODE"), { value: "production", fault: null })
    const table = await pod(["config", "list"], { environment })
    assert.match(table.stdout, /^POD_PORT +wrong: must be a whole/m)
    assert.include(table.stderr, "settings are wrong: pod config check")
  })

  it("`pod config check` reports every wrong setting without showing its value, and warns about a misspelt name", async () => {
    const wrong = await pod(["config", "check"], { environment: { POD_PORT: "many", POD_MODE: "fast" } })
    assert.strictEqual(wrong.code, 3)
    for (const name of ["POD_PORT", "POD_MODE"]) assert.include(wrong.stderr, name)
    assert.include(wrong.stderr, "2 settings are wrong. Nothing was started.")
    assert.notInclude(wrong.stderr, "many")
    const near = await json("config", "check")
    assert.strictEqual(near.ok, true)
    const misspelt = await pod(["config", "check"], { environment: { POD_PUBIC_URL: "https://pod.example.com" } })
    assert.include(misspelt.stdout, "did you mean POD_PUBLIC_URL?")
  })

  it("`pod config explain` finds a setting by its full name, by its name without the prefix and by an alias, and suggests a similar name", async () => {
    for (const name of ["POD_PORT", "port", "PORT"]) {
      assert.strictEqual((await json("config", "explain", name)).name, "POD_PORT", name)
    }
    assert.include((await pod(["config", "explain", "OTEL_SERVICE_NAME"])).stdout, "Name of the service in traces")
    const near = await pod(["config", "explain", "POD_PROT", "--json"])
    assert.deepInclude(errorOf(near), { hint: "Did you mean POD_PORT?" })
    assert.strictEqual(near.code, 6)
  })
})

describe("pod completions and pod docs", () => {
  it("the completion script for each shell contains the commands of pod, and bash can run its script", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, stdout } = await pod(["completions", shell])
      assert.strictEqual(code, 0)
      for (const word of ["proposals", "setup-link", "webhooks"]) assert.include(stdout, word, shell)
      if (shell !== "bash") continue
      const script = join(home.path, "completions.bash")
      writeFileSync(script, stdout)
      assert.strictEqual(spawnSync("bash", ["-n", script], { env: environmentOf(home.path) }).status, 0)
    }
    assert.strictEqual((await pod(["completions", "tcsh"])).code, 2)
  })

  it("`pod docs` prints a text or a table for each topic, also for the pages of the documentation, and suggests a similar topic if it does not know the given topic", async () => {
    const topics: ReadonlyArray<string> = (await json("docs")).map(({ name }: Fields) => name)
    const texts: Readonly<Record<string, string>> = {
      cli: "pod proposals approve",
      config: "POD_METRICS_TOKEN",
      "exit-codes": "130",
      rest: "POST   /api/hub/setup/backups",
      procedures: "apiKeys.create",
      mcp: "svc_get_entities",
      errors: "# Errors",
      backup: "pod backup verify"
    }
    assert.includeMembers([...topics], [...Object.keys(texts), "grants", "limits", "n8n", "run"])
    assert.strictEqual(new Set(topics).size, topics.length)
    for (const topic of Object.keys(texts)) {
      const { code, stderr, stdout } = await pod(["docs", topic])
      assert.strictEqual(code, 0, stderr)
      assert.include(stdout, texts[topic], topic)
    }
    const unknown = await pod(["docs", "weather", "--json"])
    assert.strictEqual(unknown.code, 6)
    assert.include(errorOf(unknown)["hint"], "pod docs")
    assert.include(errorOf(await pod(["docs", "bakcup", "--json"]))["hint"], "Did you mean backup?")
  })
})

describe("profiles of the command line", () => {
  it("the command line keeps several sign-ins as profiles, and uses the profile in the option, otherwise the profile in the environment, and otherwise the chosen profile", async () => {
    const other = await server.aPerson("other@example.com")
    const login = (profile: string, email: string) =>
      pod(["login", "--url", server.baseUrl, "--profile", profile, "--email", email], {
        environment: { POD_PASSWORD: ownerPassword, POD_DATA_DIR: "" }
      })
    for (const [profile, email] of [
      ["mine", ownerEmail],
      ["theirs", "other@example.com"]
    ] as const) {
      const signedIn = await login(profile, email)
      assert.strictEqual(signedIn.code, 0, signedIn.stderr)
    }
    const idBy = async (args: ReadonlyArray<string>, environment: Record<string, string> = {}) =>
      dataOf(await pod(["whoami", "--json", ...args], { environment })).id
    assert.strictEqual(await idBy([]), other.id) // without a profile, the command line uses the latest sign-in
    assert.strictEqual(await idBy([], { POD_PROFILE: "mine" }), server.ownerId)
    assert.strictEqual(await idBy(["--profile", "theirs"], { POD_PROFILE: "mine" }), other.id)
    assert.strictEqual((await pod(["profile", "use", "mine"])).code, 0)
    assert.strictEqual(await idBy([]), server.ownerId)
    const listed = await pod(["profile", "list", "--json"])
    assert.notMatch(listed.stdout, /token/i)
    assert.deepStrictEqual(
      dataOf(listed).map(({ isCurrent, name }: Fields) => [name, isCurrent]),
      [
        ["mine", true],
        ["theirs", false]
      ]
    )
    assert.strictEqual((await pod(["profile", "use", "nobody"])).code, 6)
    assert.strictEqual((await pod(["whoami", "--profile", "nobody"])).code, 6)
    // The command line sends neither of the two sign-ins to another address.
    const elsewhere = await pod(["whoami", "--url", server.baseUrl.replace("127.0.0.1", "localhost"), "--json"])
    assert.strictEqual(elsewhere.code, 4, elsewhere.stderr)
    for (const profile of ["mine", "theirs"]) {
      assert.strictEqual((await pod(["logout", "--profile", profile])).code, 0)
    }
    assert.deepStrictEqual(await json("profile", "list"), [])
  })
})

describe("how the command line asks for a password", () => {
  it("when the command line asks for a password, the terminal does not show the typed text, and Ctrl-C ends the sign-in", async () => {
    const inTerminal = aTerminal(home.path)
    const login = ["login", "--url", server.baseUrl, "--email", ownerEmail]
    const stopped = await inTerminal(login, [["Password", "\u0003"]])
    assert.strictEqual(stopped.code, 130, stopped.screen)
    const done = await inTerminal(login, [["Password", `${ownerPassword}\r`]])
    assert.strictEqual(done.code, 0, done.screen)
    assert.include(done.screen, "Signed in")
    assert.notInclude(done.screen, ownerPassword)
    assert.strictEqual((await pod(["logout"])).code, 0)
    const asked = await pod(login, { environment: { POD_DATA_DIR: "" } })
    assert.strictEqual(asked.code, 2)
    assert.include(asked.stderr, "--password-file")
  })
})

describe("messages of the command line for people", () => {
  it("`pod login` prints a readable message if the password is wrong", async () => {
    const run = await pod(["login", "--url", server.baseUrl, "--email", ownerEmail], {
      environment: { POD_PASSWORD: "not the password" }
    })
    assert.strictEqual(run.code, 4)
    assert.match(run.stderr, /^Error \S.+\n {2}If you forgot the password/)
  })

  it("`pod login` without an address signs in to the pod on this machine", async () => {
    const run = await pod(["login", "--email", ownerEmail, "--json"], { environment: { POD_PASSWORD: ownerPassword } })
    assert.strictEqual(dataOf(run).url, server.baseUrl.replace("127.0.0.1", "localhost"))
    assert.strictEqual((await pod(["logout"])).code, 0)
  })

  it("while a person types a password for the command line, the terminal shows neither letters nor stars", async () => {
    const { code, screen } = await aTerminal(home.path)(
      ["login", "--url", server.baseUrl, "--email", ownerEmail],
      [["Password", `${ownerPassword}\r`]]
    )
    assert.strictEqual(code, 0, screen)
    assert.notInclude(screen, "*")
    assert.strictEqual((await pod(["logout"])).code, 0)
  })

  it("if a procedure refuses the input of a command, the command line prints the reason as text and not as JSON", async () => {
    const run = await pod(["roles", "create", "--name", "wrong", "--permission", "nothing.read"])
    assert.strictEqual(run.stderr, "Error grant.permissions.0: There is no subject nothing.\n")
  })

  it("the list of keys prints different short ids for two keys that were made one directly after the other", async () => {
    for (const name of ["twin one", "twin two"]) await json("keys", "create", "--name", name)
    const { stdout } = await pod(["keys", "list"])
    const ids = stdout
      .split("\n")
      .filter((line) => line.includes("twin"))
      .map((line) => line.split(" ")[0] ?? "")
    assert.strictEqual(new Set(ids).size, 2)
    for (const id of ids) assert.strictEqual((await pod(["keys", "revoke", id, "--yes"])).code, 0)
  })

  it("`pod roles edit` fails if no option states a change", async () => {
    await json("roles", "create", "--name", "still", "--permission", "entity.note.read")
    assert.strictEqual((await pod(["roles", "edit", "still"])).code, 2)
  })

  it("`pod events list --since` accepts a duration such as 1h, and explains why a wrong time is refused", async () => {
    assert.isNotEmpty(await json("events", "list", "--since", "1h"))
    const run = await pod(["events", "list", "--since", "nonsense"])
    assert.strictEqual(run.code, 2)
    assert.include(run.stderr, '"nonsense" is not a time.')
  })

  it("`pod proposals show` ends with exit code 6 if its argument is not the id of a proposal", async () => {
    assert.strictEqual((await pod(["proposals", "show", "nothing"])).code, 6)
  })

  it("with -o env a command prints a list as one variable that a shell can read", async () => {
    const { stdout } = await pod(["roles", "list", "-o", "env"])
    assert.match(stdout, /^ITEMS='\[.*\]'\n$/)
  })

  it("`pod status` shows the address of the console", async () => {
    assert.match((await pod(["status"])).stdout, /Console http:\/\/\S+\/admin\n/)
  })

  it("`pod status` shows the database engine, the waiting proposals and how many records of each kind the caller may read, without empty kinds", async () => {
    await server.owner.send("POST", "/api/hub/documents", { title: "Plan", content: "Text", type: "text" })
    await propose("count me")
    const { counts, database, waiting } = await json("status")
    assert.deepStrictEqual(database, { engine: "memory", sizeBytes: null })
    assert.isAbove(counts.documents, 0)
    assert.strictEqual(counts.tracks, 0)
    assert.isAbove(waiting, 0)
    const { stdout } = await pod(["status"])
    assert.include(stdout, "  Data    in memory only\n")
    const one = counts.documents === 1 ? "document" : "documents"
    assert.match(stdout, new RegExp(`^  Holds   .*${counts.documents} ${one}`, "m"))
    assert.notInclude(stdout, "track")
    assert.match(stdout, new RegExp(`^  Waiting ${waiting} proposals?: pod proposals list$`, "m"))
  })

  it("`pod status` without a credential shows neither the database engine nor numbers of records", async () => {
    const shown = await pod(["status", "--url", server.baseUrl])
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.notMatch(shown.stdout, /Data|Holds|Waiting/)
  })

  it("Ctrl-C ends `pod events tail` at once, even while no event happens", async () => {
    const tail = await started(["events", "tail", "--debug"])
    await tail.untilOutput("→ 200")
    const asked = performance.now()
    tail.signal("SIGINT")
    assert.strictEqual((await tail.ended).code, 130)
    assert.isBelow(performance.now() - asked, 1000)
  })

  it("if somebody changed a record after the proposal, `pod proposals show` prints the old, the current and the proposed value", async () => {
    const { id } = (await server.owner.send("POST", "/api/hub/entities", note("first title"))).body
    const { proposalId } = (await agent.send("PATCH", `/api/hub/entities/${id}`, { title: "agent's title" })).body
    await server.owner.send("PATCH", `/api/hub/entities/${id}`, { title: "owner's title" })
    const { stdout } = await pod(["proposals", "show", proposalId])
    assert.include(stdout, "was       first title")
    assert.include(stdout, "is now    owner's title")
    assert.include(stdout, "proposed  agent's title")
    await server.owner.send("POST", `/api/hub/proposals/${proposalId}/reject`, {})
  })
})
