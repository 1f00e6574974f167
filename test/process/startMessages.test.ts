/**
 * The messages that a person reads at the start and stop of a pod: checks, database, addresses, setup link, and running
 * requests.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { type Announcement, announce } from "../../src/Announce.ts"
import { commandOf } from "../../src/platform/CommandName.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { migrations } from "../../src/platform/Migrations.ts"
import { aMoment } from "../support/aMoment.ts"
import { aFolder, launchPod, refusedStart, startPod } from "../support/builtPod.ts"
import { aPreparedFolder } from "../support/podPair.ts"
import { acceptedSettings } from "../support/settings.ts"
import { withLite } from "../transfer/transferScene.ts"

const unclaimed = { POD_OWNER_EMAIL: "", POD_OWNER_PASSWORD: "" }
const pretty = { POD_LOG_FORMAT: "pretty" }

const linesOf = (output: string): ReadonlyArray<Record<string, unknown>> =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const announced = (change: Partial<Announcement> = {}, variables: Record<string, string> = {}): string => {
  let text = ""
  announce(
    {
      settings: acceptedSettings(variables).settings,
      port: 8787,
      isFirstStart: true,
      setupToken: "a-token",
      waiting: 0,
      warnings: [],
      format: "pretty",
      startedInMs: 1_834,
      columns: 120,
      command: "npx pod",
      ...change
    },
    (part) => (text += part)
  )
  return text
}

describe("the messages of a start", () => {
  it("the start messages write the commands as `npx pod` if npm or npx started the pod, and otherwise as `pod`", () => {
    assert.deepStrictEqual(["start", "npx", undefined].map(commandOf), ["npx pod", "npx pod", "pod"])
  })

  it("at its first start a pod reports the Node.js version, port, data directory, migrations and new secrets, and says that it has no owner", async () => {
    const folder = aFolder()
    const pod = await launchPod({
      dataDir: join(folder.path, "data"),
      workDir: folder.path,
      environment: { ...unclaimed, ...pretty, POD_ENCRYPTION_KEY: "" }
    })
    while (!pod.output().includes("Stop with Ctrl-C")) await aMoment()
    pod.signal("SIGTERM")
    await pod.ended
    folder.remove()
    const output = pod.output()
    assert.match(output, /^ {2}▸ Node [\d.]+, any free port, data in \.\/data \(new\)\n {2}▸ Database: made in /)
    assert.match(
      output,
      new RegExp(
        `made in \\S+/data/pg, ${migrations.length} migrations \\(\\d+\\.\\d s\\)\\n {2}▸ Secrets: made in \\./data/secrets\\. .*without the file encryption-key, you lose .*\\n\\n {2}Pod `
      )
    )
    assert.include(output, "This pod has no owner yet")
    assert.match(output, /^ {2}▸ Stopped cleanly\.\n$/m)
  })

  it("a pod that listens on one loopback address other than 127.0.0.1 prints this address, because localhost does not reach it", () => {
    const printed = announced({}, { POD_HOST: "127.0.0.2" })
    assert.include(printed, "Console   http://127.0.0.2:8787/")
    assert.include(printed, "http://127.0.0.2:8787/admin/setup")
    assert.notInclude(printed, "http://localhost")
  })

  it("the JSON line of a pod that is ready contains its addresses, data directory and durability, and at the first start the setup link with its file", () => {
    const ready = JSON.parse(announced({ format: "json" }, { POD_DATA_DIR: "/srv/pod" })) as Record<string, unknown>
    const base = "http://localhost:8787"
    const { rest, mcp, trpc, docs, openapi, health, dataDir, durability, setupLink, setupLinkFile } = ready
    assert.deepStrictEqual(
      { rest, mcp, trpc, docs, openapi, health, dataDir, durability, setupLink, setupLinkFile },
      {
        rest: `${base}/api/hub`,
        mcp: `${base}/mcp`,
        trpc: `${base}/trpc`,
        docs: `${base}/docs`,
        openapi: `${base}/openapi.json`,
        health: `${base}/api/hub/health`,
        dataDir: "/srv/pod",
        durability: "process",
        setupLink: `${base}/admin/setup#a-token`,
        setupLinkFile: "/srv/pod/setup-link"
      }
    )
    assert.notInclude(announced({ format: "json", isFirstStart: false, setupToken: undefined }), "setupLink")
  })

  it("at a later start the pod lists the migrations that it applied", async () => {
    const folder = await aPreparedFolder()
    const older = "DROP TABLE backups; DELETE FROM schema_migrations WHERE name = '0081_backups.sql'"
    await withLite(folder.path, (owner) => owner.exec(older))
    const migrated = await startPod({ dataDir: folder.path, environment: { POD_BACKUP_BEFORE_MIGRATION: "off" } })
    await migrated.kill()
    folder.remove()
    const step = linesOf(migrated.output()).find((line) => line["step"] === "database")
    assert.match(String(step?.["msg"]), /^Database: 1 migration applied: 0081_backups \(\d+\.\d s\)$/)
  })

  it("the start message of a pod with an owner has three lines, and one line says how many proposals wait for a decision", () => {
    const lines = announced({ isFirstStart: false, setupToken: undefined, waiting: 3 }).trim().split("\n")
    assert.lengthOf(lines, 3)
    assert.include(lines[1], "http://localhost:8787/admin")
    assert.include(lines[2], "3 proposals wait: npx pod proposals list.")
  })

  it("the start message has a box around the setup link only if the terminal is wide enough, and always shows the whole link", () => {
    const link = "http://localhost:8787/admin/setup#a-token"
    const wide = announced().split("\n")
    const frame = wide.filter((line) => /^ {2}[┌│└]/.test(line))
    assert.strictEqual(new Set(frame.map((line) => line.length)).size, 1, frame.join("\n"))
    assert.isTrue(frame.some((line) => line.includes(link)))
    const narrow = announced({ columns: 60 })
    assert.notMatch(narrow, /[┌│└]/)
    assert.include(narrow, link)
  })

  it("a pod that listens on 0.0.0.0 shows its address as localhost, and a pod that listens on one address shows this address", () => {
    const everywhere = announced({}, { POD_HOST: "0.0.0.0" })
    assert.notInclude(everywhere, "http://0.0.0.0")
    assert.include(everywhere, "http://localhost:8787/admin")
    assert.include(announced({}, { POD_HOST: "192.0.2.7" }), "http://192.0.2.7:8787/admin/setup#a-token")
    assert.include(announced({}, { POD_HOST: "::1" }), "http://localhost:8787/admin")
  })

  it.each(["POD_PORT", "POD_METRICS_PORT"])(
    "if the port of the setting %s is in use at the first start, the message names the process and the setting, and no data directory is created",
    async (setting) => {
      const other = spawn(process.execPath, [
        "-e",
        'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log(s.address().port))'
      ])
      const port = await new Promise<string>((resolve) =>
        other.stdout.once("data", (text) => resolve(String(text).trim()))
      )
      const folder = aFolder()
      const dataDir = join(folder.path, "data")
      const refused = await refusedStart({ dataDir, workDir: folder.path, environment: { [setting]: port } })
      other.kill()
      assert.strictEqual(refused.code, exitCodes.badSettings)
      assert.match(
        refused.errors,
        new RegExp(
          `^Port ${port} is in use by pid ${other.pid} \\(.+\\)\\. Set ${setting}=${Number(port) + 1}, or stop this process\\.\\n$`
        )
      )
      assert.isFalse(existsSync(dataDir))
      folder.remove()
    }
  )
})

describe("the messages of a later start and of a stop", () => {
  it("a start without migrations prints nothing about the database, and a stopping pod prints how many requests still run, except event streams", async () => {
    const folder = await aPreparedFolder()
    const pod = await startPod({ dataDir: folder.path })
    const signedIn = await fetch(`${pod.baseUrl}/auth/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@example.com", password: "correct horse battery staple" })
    })
    const { token } = (await signedIn.json()) as { token: string }
    const stream = await fetch(`${pod.baseUrl}/api/hub/events/stream`, { headers: { "x-session-token": token } })
    assert.strictEqual(stream.status, 200)
    const slow = request(`${pod.baseUrl}/auth/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": "2", expect: "100-continue" }
    })
    const answered = new Promise<number | undefined>((resolve) =>
      slow.once("response", ({ statusCode }) => resolve(statusCode))
    )
    slow.flushHeaders()
    // When this event comes, the pod has received the headers of the request.
    await new Promise((resolve) => slow.once("continue", resolve))
    const ended = pod.terminate()
    while (!pod.output().includes("Finishing")) await aMoment()
    slow.end("{}")
    assert.strictEqual(await answered, 400)
    await ended
    folder.remove()
    const lines = linesOf(pod.output())
    assert.isFalse(lines.some((line) => line["step"] === "database"))
    const step = lines.find((line) => line["requests"] !== undefined)
    assert.strictEqual(step?.["msg"], "Finishing 1 request …")
  })
})
