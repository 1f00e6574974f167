/**
 * Tests what commands tell a person about a proposal, a key that does not exist yet, the migrations, and the progress of
 * an export.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { progressBar, progressLine } from "../../src/cli/LocalWork.ts"
import { tableWords } from "../../src/transfer/TableWords.ts"
import { version } from "../../src/Version.ts"
import { aCommandScene, dataOf, note } from "../support/commandScene.ts"
import { projectRoot } from "../support/migrations.ts"

const { agent, json, pod, server } = aCommandScene()

describe("what `pod proposals show` says about the maker of a proposal", () => {
  it("`pod proposals show` names the agent, the workspace, the key and the reason of a proposal", async () => {
    const workspaceId = await server().aWorkspace(server().owner, "Harbour")
    const { body } = await server().owner.query("agents.list")
    const scribe = body.result.data.find(({ name }: { readonly name: string }) => name === "Scribe")
    const writer = await server().aKey(server().owner, {
      keyName: "night shift",
      agentId: scribe.id,
      grant: { permissions: ["*"] }
    })
    const filed = await writer.send("POST", "/api/hub/proposals", {
      targetType: "entity",
      proposalType: "create",
      data: note("call the roofer"),
      reasoning: "The roof leaks.\nIt rains."
    })
    assert.strictEqual(filed.status, 200, JSON.stringify(filed.body))
    const shown = await pod(["proposals", "show", filed.body.id])
    assert.include(shown.stdout, "  By the agent Scribe, in the personal space, with the key night shift\n")
    assert.include(shown.stdout, "  Why: The roof leaks.\n    It rains.\n")
    const enrolment = { workspaceId, agentUserId: scribe.id }
    await server().owner.send("POST", "/api/hub/workspaces/enroll-agent", enrolment)
    const inWorkspace = await writer.send("POST", "/api/hub/entities", { ...note("paint the boat"), workspaceId })
    assert.isString(inWorkspace.body.proposalId, JSON.stringify(inWorkspace.body))
    const other = await pod(["proposals", "show", inWorkspace.body.proposalId])
    assert.match(other.stdout, /^ {2}By the agent Scribe, in the workspace Harbour, with the key night shift$/m)
    assert.include(other.stdout, "  Why: no reason was given\n")
  })

  it("if the caller may not list agents and keys, `pod proposals show` shows the agent and the key of the proposal by the first characters of their ids", async () => {
    const { body } = await agent().send("POST", "/api/hub/entities", note("by a key"))
    const reader = await server().aKey(server().owner, {
      grant: { permissions: ["entity.note.read", "proposal.read"] }
    })
    const shown = await pod(["proposals", "show", body.proposalId, "--url", server().baseUrl], {
      environment: { POD_API_KEY: reader.secret }
    })
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.match(shown.stdout, /^ {2}By the agent [0-9a-f-]{18}, in the personal space, with the key [0-9a-f-]{18}$/m)
  })
})

describe("what `pod keys create --preview` and `pod keys check` say", () => {
  it("`pod keys create --preview` prints how many records the key can read, and then the refused operations, first those about the subjects of the key's permissions", async () => {
    await server().owner.send("POST", "/api/hub/knowledge", { key: "spare.key", value: "under the pot" })
    await server().owner.send("POST", "/api/hub/documents", { title: "Plan", content: "Text", type: "text" })
    const preview = ["keys", "create", "--name", "x", "--permission", "document.read", "--preview"]
    const { stdout } = await pod([...preview, "--scope", "mcp.read"])
    assert.match(stdout, /^Reads now: 1 of the \d+ records that you can see$/m)
    assert.match(stdout, /^ {2}1 of 1 document$/m)
    assert.match(stdout, /^ {2}0 of 1 knowledge entries$/m)
    const reasons = [...stdout.matchAll(/^ {2}✗ (.*)\n {4}(.*)$/gm)].map(([, reason, names]) => [reason, names])
    assert.include(reasons[0]?.[0], "needs the scope hub-protocol.read.")
    assert.match(reasons[0]?.[1] ?? "", /^documents\./)
    const everyKind = reasons.findIndex(([reason]) => reason?.includes("reads every kind of record"))
    const chat = reasons.findIndex(([reason]) => reason?.includes("the scope chat.stream"))
    assert.isAbove(everyKind, 0)
    assert.isTrue(chat === -1 || everyKind < chat, stdout)
    assert.isAtMost(reasons.length, 8)
    for (const [, names = ""] of reasons) assert.isAtMost(names.split(", ").length, 4)
    assert.isArray(dataOf(await pod([...preview, "--json"])).doors)
  })

  it("`pod keys create --preview` with an access role lists the refused operations, first those about the subjects of the role's permissions", async () => {
    await json("roles", "create", "--name", "reads documents", "--permission", "document.read")
    const { stdout } = await pod(["keys", "create", "--name", "x", "--role", "reads documents", "--preview"])
    assert.match(stdout, /needs the scope [\w.:-]+\.\n {4}documents\./)
  })

  it("`pod keys check` says which scope and permission a refused operation needs, and which permissions of the key are not enough for it", async () => {
    await json("keys", "create", "--name", "checked", "--permission", "entity.note.read")
    const { stdout } = await pod(["keys", "check", "checked", "--can", "POST /api/hub/entities"])
    assert.match(
      stdout,
      /^deny {2}entities\.create\n {2}This operation needs the scope hub-protocol\.write\. \(SCOPE_MISSING\)$/m
    )
    assert.match(stdout, /^ {2}Needs {6} entity\.create\n {2}Not enough {1,2}entity\.note\.read$/m)
    const allowed = await pod(["keys", "check", "checked", "--can", "GET /api/hub/entities"])
    assert.strictEqual(allowed.stdout, "allow  entities.list\n")
  })
})

describe("what `pod migrate status` says", () => {
  const names = readdirSync(`${projectRoot}migrations`).sort()

  /**
   * Runs `pod migrate status` against a server that takes the place of a pod, and reports these migrations as applied.
   */
  const statusOf = async (applied: ReadonlyArray<string>, ...more: ReadonlyArray<string>) => {
    const migrations = applied.map((name) => ({ version: name.slice(0, 4), description: name.slice(5, -4) }))
    const standIn = createServer((_, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ result: { data: { migrations } } }))
    )
    await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve))
    const { port } = standIn.address() as AddressInfo // the server listens on TCP, so its address has a port
    const run = await pod(["migrate", "status", "--url", `http://127.0.0.1:${port}`, ...more])
    standIn.closeAllConnections()
    standIn.close()
    assert.strictEqual(run.code, 0, run.stderr)
    return run.stdout
  }

  it("`pod migrate status` says in three lines that the schema is up to date, and lists the applied migrations only with `--all`", async () => {
    const summary = `The schema is up to date for version ${version} of the pod.\n  Applied  ${names.length} migrations, the last one ${names.at(-1)}\n  Pending  none\n`
    assert.strictEqual(await statusOf(names), summary)
    const all = names.map((name) => `  applied  ${name}\n`).join("")
    assert.strictEqual(await statusOf(names, "--all"), summary + all)
  })

  it("`pod migrate status` lists the migrations that are missing or unknown, and says what to do", async () => {
    const missing = await statusOf(names.slice(0, -2))
    assert.match(
      missing,
      /^The schema does not fit version .*\n {2}Applied {2}\d+ migrations.*\n {2}Pending {2}2 migrations$/m
    )
    assert.match(missing, /^The running pod has an older version\. Restart the pod/m)
    assert.deepStrictEqual(
      missing.split("\n").filter((line) => line.includes(".sql") && !line.includes("Applied")),
      names.slice(-2).map((name) => `  pending  ${name}`)
    )
    const newer = await statusOf([...names, "9999_of_the_future.sql"])
    assert.include(newer, "A newer version of the pod has changed this database.")
    assert.include(newer, "  unknown  9999_of_the_future.sql\n")
  })
})

describe("the progress of an export or import", () => {
  it("the progress line of an export counts rows and names the current table in plain words, and the progress line of a backup counts parts", () => {
    const now = tableWords("pgboss.queue")
    const step = { what: "export", now, done: 12, total: 452, unit: "rows" } as const
    assert.strictEqual(progressLine(step), "export: 12 of 452 rows, now background jobs")
    assert.strictEqual(
      progressLine({ what: "unpack the backup", done: 3, total: 0, unit: "parts" }),
      "unpack the backup: 3 parts"
    )
  })

  it("the bar of progress is full exactly at the end, always has the same width, and is absent while the total is not known", () => {
    assert.strictEqual(progressBar({ done: 0, total: 452 }), `[${"-".repeat(20)}]   0 %  `)
    assert.strictEqual(progressBar({ done: 451, total: 452 }), `[${"#".repeat(19)}-]  99 %  `)
    assert.strictEqual(progressBar({ done: 452, total: 452 }), `[${"#".repeat(20)}] 100 %  `)
    assert.strictEqual(progressBar({ done: 3, total: 0 }), "")
  })

  it("every table of the database has plain words for the progress line, without technical names such as `pgboss` or `defs`", () => {
    const made = readdirSync(`${projectRoot}migrations`).flatMap((name) => [
      ...readFileSync(`${projectRoot}migrations/${name}`, "utf8").matchAll(
        /CREATE TABLE (?:IF NOT EXISTS )?([a-z_.]+)/g
      )
    ])
    assert.isAbove(made.length, 50)
    for (const [, table = ""] of made) {
      const words = tableWords(table.includes(".") ? table : `public.${table}`)
      assert.match(words, /^[a-z][a-z -]+$/, table)
      assert.notMatch(words, /pgboss|heads|auth|defs/, table)
    }
  })
})
