/**
 * Tests the commands about the pod and about the command line itself: doctor, config, completions, docs and profiles.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { environmentOf } from "../support/builtCli.ts"
import { ownerEmail, ownerPassword } from "../support/pod.ts"
import { aCommandScene, type Fields, dataOf, errorOf } from "../support/commandScene.ts"

const { home, json, pod, server } = aCommandScene()

describe("the command `pod doctor`", () => {
  const stateOf = (checks: ReadonlyArray<Fields>) =>
    Object.fromEntries(checks.map(({ name, state }) => [name, state as string]))

  it("`pod doctor` finds no fault in a healthy pod, over the admin socket of the pod and over the address of the pod", async () => {
    const inside = stateOf(await json("doctor"))
    assert.deepInclude(inside, {
      version: "ok",
      node: "ok",
      settings: "ok",
      port: "ok",
      pod: "ok",
      database: "ok",
      owner: "ok",
      "pod version": "ok",
      clock: "ok",
      authorization: "ok",
      "body size": "ok",
      "header size": "ok",
      mcp: "ok",
      streams: "ok"
    })
    const outside = stateOf(await json("doctor", "--url", server().baseUrl))
    assert.notInclude(Object.values(outside), "failed")
    const passed = {
      pod: "ok",
      database: "ok",
      headers: "ok",
      authorization: "ok",
      "body size": "ok",
      "header size": "ok",
      mcp: "ok"
    }
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
    const withKey = stateOf(dataOf(await pod(["doctor", "--url", server().baseUrl, "--json"], { environment })))
    assert.deepInclude(withKey, { ...passed, streams: "ok" })
  })

  it("`pod doctor --mcp` makes the MCP handshake without a key of the caller, with a key of its own that it then revokes", async () => {
    const run = await pod(["doctor", "--mcp", "--json"])
    const { detail, state } = dataOf(run).find(({ name }: Fields) => name === "mcp")
    assert.strictEqual(state, "ok", run.stderr)
    assert.include(detail, "a key of its own")
    const made = dataOf(await pod(["keys", "list", "--all", "--json"])).filter(
      ({ keyName }: Fields) => keyName === "pod doctor"
    )
    assert.deepStrictEqual(
      made.map(({ isActive, revokedAt }: Fields) => isActive === true || revokedAt === null),
      [false]
    )
    // Without the option, the command makes no key.
    assert.strictEqual((await pod(["doctor", "--json"])).code, 0)
    const after = dataOf(await pod(["keys", "list", "--all", "--json"])).filter(
      ({ keyName }: Fields) => keyName === "pod doctor"
    )
    assert.lengthOf(after, 1)
  })

  it("`pod doctor` reports a proxy that removes headers, and the exit code shows that the command found a fault", async () => {
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

  it("`pod doctor` reports a proxy that refuses large bodies and delays event streams", async () => {
    const proxy = createServer((request, response) => {
      const { headers, method, url } = request
      if (Number(headers["content-length"] ?? 0) > 1_000_000) return void response.writeHead(413).end("<html></html>")
      if (url?.startsWith("/api/hub/events/stream") === true) return
      const passed = httpRequest(server().baseUrl + url, { method, headers }, (answer) => {
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

describe("the commands of `pod config`", () => {
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

  it("`pod config list` says that the pod makes a secret that is not set, and in which file the secret is, without its value", async () => {
    const dataDir = join(home.path, "generated")
    const value = "a-generated-secret-of-more-than-thirty-two-characters"
    mkdirSync(join(dataDir, "secrets"), { recursive: true })
    writeFileSync(join(dataDir, "secrets", "key-pepper"), value)
    const run = await pod(["config", "list", "--json", "--data-dir", dataDir], {
      environment: { POD_SESSION_SECRET: `${value}-given` }
    })
    assert.notInclude(run.stdout, value)
    const rows = new Map(dataOf(run).map((row: Fields) => [row["name"], row]))
    assert.deepInclude(rows.get("POD_KEY_PEPPER"), {
      value: `generated, in ${dataDir}/secrets/key-pepper`,
      source: "generated"
    })
    assert.deepInclude(rows.get("POD_SESSION_SECRET"), { value: "set", source: "environment" })
    assert.deepInclude(rows.get("POD_ENCRYPTION_KEY"), {
      value: `generated at the first start, in ${dataDir}/secrets/encryption-key`,
      source: "generated"
    })
    assert.deepInclude(rows.get("POD_PROVISIONING_TOKEN"), { value: "–", source: "default" })
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
    for (const name of ["POD_PORT", "port", "PORT", "POD_PORT_FILE"]) {
      assert.strictEqual((await json("config", "explain", name)).name, "POD_PORT", name)
    }
    assert.include((await pod(["config", "explain", "OTEL_SERVICE_NAME"])).stdout, "Name of the service in traces")
    const near = await pod(["config", "explain", "POD_PROT", "--json"])
    assert.deepInclude(errorOf(near), { hint: "Did you mean POD_PORT?" })
    assert.strictEqual(near.code, 6)
    const elsewhere = await pod(["config", "explain", "POD_METRICS", "--json"])
    assert.deepInclude(errorOf(elsewhere), { hint: "Set POD_METRICS_PORT or POD_METRICS_TOKEN." })
    const unlike = await pod(["config", "explain", "nonsense", "--json"])
    assert.deepInclude(errorOf(unlike), { hint: "To see all settings, run `pod config list`." })
  })
})

describe("the commands `pod completions` and `pod docs`", () => {
  it("the completion script for each shell contains commands of `pod`, and bash finds no syntax error in the script for bash", async () => {
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

  it("`pod docs` prints a text or a table for a topic or a documentation page, and suggests a similar topic for an unknown one", async () => {
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
  it("the command line keeps several sign-ins as profiles, and uses the profile of the option `--profile`, otherwise the profile of `POD_PROFILE`, and otherwise the chosen profile", async () => {
    const other = await server().aPerson("other@example.com")
    const login = (profile: string, email: string) =>
      pod(["login", "--url", server().baseUrl, "--profile", profile, "--email", email], {
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
    assert.strictEqual(await idBy([]), other.id) // Without a profile, the command line uses the latest sign-in.
    assert.strictEqual(await idBy([], { POD_PROFILE: "mine" }), server().ownerId)
    assert.strictEqual(await idBy(["--profile", "theirs"], { POD_PROFILE: "mine" }), other.id)
    assert.strictEqual((await pod(["profile", "use", "mine"])).code, 0)
    assert.strictEqual(await idBy([]), server().ownerId)
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
    const elsewhere = await pod(["whoami", "--url", server().baseUrl.replace("127.0.0.1", "localhost"), "--json"])
    assert.strictEqual(elsewhere.code, 4, elsewhere.stderr)
    for (const profile of ["mine", "theirs"]) {
      assert.strictEqual((await pod(["logout", "--profile", profile])).code, 0)
    }
    assert.deepStrictEqual(await json("profile", "list"), [])
  })
})
