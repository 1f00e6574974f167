/**
 * Tests the command line on a machine where no server runs, or where another process uses the data directory. Two
 * processes never open the same database.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { aCommandLine } from "../support/builtCli.ts"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aFolder, startPod } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { projectRoot } from "../support/migrations.ts"

const home = aFolder()
const data = join(home.path, "data")
const unclaimed = {
  POD_OWNER_EMAIL: "",
  POD_OWNER_PASSWORD: "",
  POD_KEY_PEPPER: "",
  POD_SESSION_SECRET: "",
  POD_ENCRYPTION_KEY: ""
}
const pod = aCommandInProcess(home.path, { environment: { POD_DATA_DIR: data } })
/** The built program, which loads the modules of the database from the build. */
const program = aCommandLine(home.path, { environment: { POD_DATA_DIR: data } })
const withoutSecrets = (start: Record<string, string>) =>
  Object.fromEntries(Object.entries(start).filter(([, value]) => value !== ""))

afterAll(() => home.remove())

/** Returns every file of the database with the time of its last change and its size. */
const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const { mtimeMs, size } = statSync(path)
      return `${path} ${mtimeMs} ${size}`
    })
    .sort()

const errorCodeOf = ({ stderr }: { readonly stderr: string }): unknown =>
  (JSON.parse(stderr) as { error: { code: string } }).error.code

/** Starts a server that asks for a password as PostgreSQL does. It refuses and records every password. */
const aPasswordTaker = async () => {
  const passwords: Array<string> = []
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (bytes) => {
      if (bytes[0] !== 0x70) {
        // The client sends a request for TLS, which this server refuses, or a start message. The server answers a start
        // message with a request for the password as plain text.
        const isTls = bytes.length === 8 && bytes.readInt32BE(4) === 80_877_103
        return void socket.write(isTls ? "N" : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      }
      passwords.push(bytes.subarray(5, -1).toString())
      const fields = Buffer.from("SFATAL\0C28P01\0Mwrong password\0\0")
      const head = Buffer.from([0x45, 0, 0, 0, 0])
      head.writeInt32BE(fields.length + 4, 1)
      socket.end(Buffer.concat([head, fields]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // the server listens on TCP, so its address has a port
  return { port, passwords, stop: () => new Promise((resolve) => server.close(resolve)) }
}

describe("commands without a running server", () => {
  const linkFile = join(data, "setup-link")
  /** A copy of the data of a stopped pod. */
  const damaged = join(home.path, "damaged")
  /** The report of `pod doctor` about a running pod without an owner. */
  let reported: ReadonlyArray<{ readonly name: string; readonly state: string; readonly detail: string }>
  beforeAll(async () => {
    mkdirSync(data)
    const first = await startPod({ dataDir: data, environment: unclaimed })
    const firstLink = readFileSync(linkFile, "utf8")
    assert.match(firstLink, new RegExp(`^http://localhost:${first.port}/admin/setup#[\\w-]{43}\\n$`))
    assert.strictEqual(statSync(linkFile).mode & 0o777, 0o600)
    assert.include(first.output(), firstLink.trim())
    const { stdout } = await pod(["doctor", "--json"])
    reported = (JSON.parse(stdout) as { data: typeof reported }).data
    await first.terminate()
    cpSync(data, damaged, { recursive: true })
  })

  it("`pod doctor` says that a running pod has no owner and how to get one, and does not blame a credential for what it cannot check", () => {
    const ofOwner = reported.find(({ name }) => name === "owner")
    assert.strictEqual(ofOwner?.state, "warning")
    assert.include(ofOwner?.detail, "pod setup-link")
    const ofStreams = reported.find(({ name }) => name === "streams")
    assert.strictEqual(ofStreams?.detail, "not checked: the pod has no owner yet")
    assert.notInclude(JSON.stringify(reported), "failed")
  })

  it("a command that runs without a server does not create a pod in a directory without a pod", async () => {
    const empty = join(home.path, "empty")
    const run = await pod(["status", "--data-dir", empty])
    assert.strictEqual(run.code, 6, run.stderr)
    assert.isFalse(existsSync(empty))
  })

  it("a command that opens a damaged or incomplete database without a server ends with the same exit code as a server that opens this database", async () => {
    const on = aCommandLine(home.path, { environment: { POD_DATA_DIR: damaged } })
    const refuse = async (code: number, name: string) => {
      for (const args of [
        ["keys", "list", "--json"],
        ["backup", "--json"]
      ]) {
        const run = await on(args)
        assert.strictEqual(run.code, code, `${args.join(" ")}: ${run.stderr}`)
        assert.strictEqual(errorCodeOf(run), name)
      }
    }
    const control = join(damaged, "pg/global/pg_control")
    const whole = readFileSync(control)
    writeFileSync(control, "")
    await refuse(exitCodes.dataDamaged, "DATA_DAMAGED")
    writeFileSync(control, whole)
    renameSync(join(damaged, "pg/pg_xact"), join(damaged, "pg_xact"))
    await refuse(exitCodes.dataUnfit, "DATA_UNFIT")
  })

  it("the command line creates the owner, a key and a new password without a server, and a server that starts later accepts them", async () => {
    const link = await program(["setup-link", "--quiet"])
    assert.strictEqual(link.code, 0, link.stderr)
    assert.match(link.stdout, /^http:\/\/localhost:8787\/admin\/setup#[\w-]{43}\n$/)
    // The file of the setup link contains the latest link, and no other system user can read the file.
    assert.strictEqual(readFileSync(linkFile, "utf8"), link.stdout)
    assert.strictEqual(statSync(linkFile).mode & 0o777, 0o600)
    const password = { environment: withoutSecrets({ POD_PASSWORD: "a long enough password" }) }
    const made = await pod(["owner", "create", "--email", "first@example.com"], password)
    assert.strictEqual(made.code, 0, made.stderr)
    assert.isFalse(existsSync(linkFile))
    writeFileSync(linkFile, "left by a pod that was killed")
    const key = await pod(["keys", "create", "--name", "early", "--quiet"])
    assert.match(key.stdout, /^svc_user_\S+\n$/, key.stderr)
    assert.isFalse(existsSync(join(data, "admin.sock")))
    const again = await pod(["owner", "reset-password", "--json"], {
      environment: { POD_PASSWORD: "quite another password" }
    })
    assert.strictEqual(again.code, 0, again.stderr)
    const none = await pod(["status"])
    assert.strictEqual(none.code, 8, none.stdout)
    assert.include(none.stderr, "No server runs here.")
    assert.include((await pod(["status", "--data-dir", data])).stderr, `pod start --data-dir ${data}`)
    const missing = await pod(["export", "--out", join(home.path, "missing/pod.ndjson")])
    assert.strictEqual(missing.code, 6)
    assert.strictEqual(missing.stderr, `Error The folder of ${join(home.path, "missing/pod.ndjson")} does not exist.\n`)
    const { path } = (JSON.parse((await pod(["backup", "--json"])).stdout) as { data: { path: string } }).data
    const restored = await pod(["restore", path, "--data-dir", join(home.path, "restored")])
    assert.include(restored.stdout, `Start the pod: pod start --data-dir ${join(home.path, "restored")}\n`)
    // A folder that cannot hold a backup is the same fault for the command as for the running pod.
    const refuseFolder = async () => {
      const refused = await pod(["backup", "--to", "/proc/nope"])
      assert.strictEqual(refused.code, 3, refused.stderr)
      assert.match(refused.stderr, /^Error The folder \/proc\/nope cannot hold the backup: .+\.$/m)
    }
    await refuseFolder()
    const server = await startPod({ dataDir: data, environment: unclaimed })
    await refuseFolder()
    assert.match((await pod(["status"])).stdout, /^ {2}Data {4}embedded \(PGlite\), \d+\.\d MB$/m)
    assert.isFalse(existsSync(linkFile))
    const url = ["--url", server.baseUrl]
    assert.strictEqual((await pod(["whoami", ...url], { environment: { POD_API_KEY: key.stdout.trim() } })).code, 0)
    const login = (secret: string) =>
      pod(["login", ...url, "--email", "first@example.com"], { environment: { POD_PASSWORD: secret } })
    assert.strictEqual((await login("a long enough password")).code, 4)
    assert.strictEqual((await login("quite another password")).code, 0)
    assert.strictEqual((await pod(["logout"])).code, 0)

    // The running pod has the embedded database. So the command asks the pod, over the socket or at the address of the
    // pod.
    const migrations: ReadonlyArray<{ readonly name: string; readonly state: string }> = JSON.parse(
      (await pod(["migrate", "status", "--json"])).stdout
    ).data
    assert.sameMembers(
      migrations.map(({ name, state }) => `${name} ${state}`),
      readdirSync(join(projectRoot, "migrations")).map((name) => `${name} applied`)
    )
    const keyed = { environment: { POD_API_KEY: key.stdout.trim() } }
    for (const args of [url, []]) {
      const over = await pod(["migrate", "status", "--json", ...args], keyed)
      assert.deepStrictEqual(JSON.parse(over.stdout).data, migrations, over.stderr)
    }
    assert.strictEqual((await pod(["export", "--workspace", "nothing"])).code, 6)
    const stranger = await pod(["migrate", "status", ...url])
    assert.strictEqual(stranger.code, 4, stranger.stderr)

    // A paused server holds the lock and accepts connections, but does not answer. No command may open the database
    // while the server holds the lock.
    process.kill(server.pid, "SIGSTOP")
    const before = filesOf(join(data, "pg"))
    for (const args of [
      ["keys", "list"],
      ["migrate", "status"],
      ["backup"],
      ["migrate", "to-postgres", "postgres://nobody@127.0.0.1:1/pod"]
    ]) {
      const silent = await pod([...args, "--timeout", "200ms", "--json"])
      assert.strictEqual(silent.code, 7, `${args.join(" ")}: ${silent.stderr}`)
      assert.strictEqual(errorCodeOf(silent), "DIRECTORY_LOCKED", args.join(" "))
      assert.strictEqual(silent.stdout, "", args.join(" "))
    }
    assert.deepStrictEqual(filesOf(join(data, "pg")), before)
    process.kill(server.pid, "SIGCONT")
    assert.strictEqual((await pod(["keys", "list"])).code, 0)

    // The running pod holds the lock. A command that cannot find the socket of the pod must not open the database while
    // the pod runs.
    renameSync(join(data, "admin.sock"), join(data, "elsewhere.sock"))
    const beside = await pod(["keys", "list", "--json"])
    assert.strictEqual(beside.code, 7, beside.stderr)
    assert.strictEqual(errorCodeOf(beside), "DIRECTORY_LOCKED")
    await server.terminate()

    // The password of PostgreSQL comes from a file or a variable, can contain any character, and is never shown.
    const taker = await aPasswordTaker()
    const secret = "100% of:it@/#é"
    const file = join(home.path, "password")
    writeFileSync(file, `${secret}\n`)
    const target = ["migrate", "to-postgres", `postgres://nobody@127.0.0.1:${taker.port}/pod`]
    const ways = [
      await pod([...target, "--password-file", file]),
      await pod(target, { environment: { PGPASSWORD: secret } })
    ]
    await taker.stop()
    assert.deepStrictEqual([...new Set(taker.passwords)], [secret])
    for (const way of ways) {
      assert.strictEqual(way.code, 8, way.stderr)
      assert.notInclude(way.stdout + way.stderr, "100%")
    }
  })
})
