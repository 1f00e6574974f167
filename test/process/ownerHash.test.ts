/** Tests a new pod whose settings contain the hash of the owner's password instead of the password. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { aCommandLine } from "../support/builtCli.ts"
import { aFolder, ownerEmail, refusedStart, startPod } from "../support/builtPod.ts"
import { ask } from "../support/client.ts"

const folder = aFolder()
const pod = aCommandLine(folder.path)
const password = "a password of which only the hash is stored"

let hash = ""
beforeAll(async () => {
  for (const name of ["data", "refused", "credentials"]) mkdirSync(join(folder.path, name))
  const run = await pod(["owner", "hash-password"], { input: `${password}\n` })
  assert.strictEqual(run.code, 0, run.stderr)
  hash = run.stdout.trim()
})
afterAll(() => folder.remove())

describe("the owner's password hash", () => {
  it("`pod owner hash-password` prints a different hash each time, with and without `--json`, and refuses a password that is too short", async () => {
    const again = await pod(["owner", "hash-password", "--password-file", "-", "--json"], { input: password })
    const { data } = JSON.parse(again.stdout) as { data: { hash: string } }
    assert.match(data.hash, /^[0-9a-f]{32}:[0-9a-f]{128}$/)
    assert.notStrictEqual(data.hash, hash)
    const short = await pod(["owner", "hash-password"], { input: "short" })
    assert.deepStrictEqual([short.code, short.stdout], [2, ""])
    assert.notInclude(short.stderr, '"short"')
  })

  it("a new pod whose settings contain the owner's password hash has an owner who can sign in with the password, and the log says where the owner comes from", async () => {
    const credentials = join(folder.path, "credentials")
    writeFileSync(join(credentials, "POD_OWNER_PASSWORD_HASH"), `${hash}\n`)
    const started = await startPod({
      dataDir: join(folder.path, "data"),
      environment: { POD_OWNER_PASSWORD: "", CREDENTIALS_DIRECTORY: credentials }
    })
    try {
      const signIn = (tried: string) =>
        ask(started.baseUrl, "POST", "/auth/sign-in", {}, { email: ownerEmail, password: tried })
      assert.strictEqual((await signIn(password)).status, 200)
      assert.strictEqual((await signIn("another password of that length")).status, 401)
      assert.include(started.output(), "Owner: made from POD_OWNER_EMAIL and POD_OWNER_PASSWORD_HASH")
    } finally {
      await started.terminate()
    }
  })

  it("a pod does not start if the setting for the owner's password hash contains a text that is not a hash", async () => {
    const refused = await refusedStart({
      dataDir: join(folder.path, "refused"),
      environment: { POD_OWNER_PASSWORD: "", POD_OWNER_PASSWORD_HASH: password }
    })
    assert.strictEqual(refused.code, 3)
    assert.include(refused.errors, "pod owner hash-password")
    assert.notInclude(refused.errors, password)
  })
})
