/** The command line on a machine where no server runs, or another process has the directory: never two processes in one database. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { aCommandLine } from "../support/builtCli.ts"
import { aFolder, startPod } from "../support/builtPod.ts"

const home = aFolder()
const data = join(home.path, "data")
const unclaimed = {
  POD_OWNER_EMAIL: "",
  POD_OWNER_PASSWORD: "",
  POD_KEY_PEPPER: "",
  POD_SESSION_SECRET: "",
  POD_ENCRYPTION_KEY: ""
}
const pod = aCommandLine(home.path, { environment: { POD_DATA_DIR: data } })
const withoutSecrets = (start: Record<string, string>) =>
  Object.fromEntries(Object.entries(start).filter(([, value]) => value !== ""))

afterAll(() => home.remove())

describe("without a server", () => {
  it("a directory without a pod is not made into one", async () => {
    const run = await pod(["status", "--data-dir", data])
    assert.strictEqual(run.code, 6, run.stderr)
    assert.isFalse(existsSync(data))
  })

  it(
    "a first owner, a key and a new password are made without a server, and a server knows them",
    { timeout: 120_000 },
    async () => {
      mkdirSync(data)
      const first = await startPod({ dataDir: data, environment: unclaimed })
      await first.terminate()
      const link = await pod(["setup-link", "--quiet"])
      assert.strictEqual(link.code, 0, link.stderr)
      assert.match(link.stdout, /^http:\/\/localhost:8787\/setup#[\w-]{43}\n$/)
      const password = { environment: withoutSecrets({ POD_PASSWORD: "a long enough password" }) }
      const made = await pod(["owner", "create", "--email", "first@example.com"], password)
      assert.strictEqual(made.code, 0, made.stderr)
      const key = await pod(["keys", "create", "--name", "early", "--quiet"])
      assert.match(key.stdout, /^svc_user_\S+\n$/, key.stderr)
      assert.isFalse(existsSync(join(data, "admin.sock")))
      const again = await pod(["owner", "reset-password", "--json"], {
        environment: { POD_PASSWORD: "quite another password" }
      })
      assert.strictEqual(again.code, 0, again.stderr)
      const server = await startPod({ dataDir: data, environment: unclaimed })
      const url = ["--url", server.baseUrl]
      assert.strictEqual((await pod(["whoami", ...url], { environment: { POD_API_KEY: key.stdout.trim() } })).code, 0)
      const login = (secret: string) =>
        pod(["login", ...url, "--email", "first@example.com"], { environment: { POD_PASSWORD: secret } })
      assert.strictEqual((await login("a long enough password")).code, 4)
      assert.strictEqual((await login("quite another password")).code, 0)
      assert.strictEqual((await pod(["logout"])).code, 0)

      // The running pod holds the lock: without its socket the command must not open the database beside it.
      renameSync(join(data, "admin.sock"), join(data, "elsewhere.sock"))
      const beside = await pod(["keys", "list", "--json"])
      assert.strictEqual(beside.code, 7, beside.stderr)
      assert.strictEqual((JSON.parse(beside.stderr) as { error: { code: string } }).error.code, "DIRECTORY_LOCKED")
      await server.terminate()
    }
  )
})
