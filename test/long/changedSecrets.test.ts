/**
 * The operator changes the three secrets of a pod. Each setting contains the new value and then the former value, until
 * nothing needs the former value.
 */
import { assert, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { aMoment } from "../support/aMoment.ts"
import { aCommandLine } from "../support/builtCli.ts"
import { refusedStart, startPod } from "../support/builtPod.ts"
import { ask, type CreatedKey, createKey, type RequestHeaders, signInOwner } from "../support/client.ts"
import { aPreparedFolder } from "../support/podPair.ts"

const names = {
  POD_KEY_PEPPER: "key-pepper",
  POD_SESSION_SECRET: "session-secret",
  POD_ENCRYPTION_KEY: "encryption-key"
}
const eachSecret = (value: (name: keyof typeof names) => string) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, value(name as keyof typeof names)]))

/** Returns the number of objects that still need a former value, by kind. */
const olderIn = async (baseUrl: string, session: RequestHeaders): Promise<Readonly<Record<string, number>>> => {
  const { body } = await ask(baseUrl, "GET", "/trpc/health.secrets", session)
  const reports: ReadonlyArray<{ readonly older: ReadonlyArray<{ readonly of: string; readonly count: number }> }> =
    body.result.data
  return Object.fromEntries(reports.flatMap(({ older }) => older.map(({ count, of }) => [of, count])))
}

it("after a change of the pod's secrets, keys and sessions stay valid as long as the settings have the former secrets, and keys that were used since the change stay valid longer", async () => {
  const folder = await aPreparedFolder()
  const own = eachSecret(() => "")
  const statusOf = async (baseUrl: string, headers: RequestHeaders) =>
    (await ask(baseUrl, "GET", "/api/hub/users/me", headers)).status
  const post = async (baseUrl: string, path: string, session: RequestHeaders, body: unknown = {}) => {
    const answer = await ask(baseUrl, "POST", `/trpc/${path}`, session, body)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.result.data
  }

  const first = await startPod({ dataDir: folder.path, environment: own })
  const session = await signInOwner(first.baseUrl)
  const used: CreatedKey = await createKey(first.baseUrl, session)
  const unused: CreatedKey = await createKey(first.baseUrl, session)
  const { id } = await post(first.baseUrl, "secretsVault.create", session, { name: "Mail", value: "a-secret-4711" })
  const feed = (await ask(first.baseUrl, "POST", "/api/hub/calendar/feed", session, {})).body
  assert.deepStrictEqual(Object.values(await olderIn(first.baseUrl, session)), [0, 0, 0, 0, 0])
  await first.terminate()

  const valueOf = async (baseUrl: string, reading: RequestHeaders) => {
    const input = encodeURIComponent(JSON.stringify({ id }))
    return (await ask(baseUrl, "GET", `/trpc/secretsVault.get?input=${input}`, reading)).body.result.data.value
  }
  const feedStatus = async (baseUrl: string) => (await ask(baseUrl, "GET", new URL(feed.url, baseUrl).pathname)).status

  // The pod made the former values at its first start.
  const fresh = eachSecret(() => randomBytes(32).toString("base64"))
  const both = eachSecret((name) => `${fresh[name]},${readFileSync(join(folder.path, "secrets", names[name]), "utf8")}`)
  const second = await startPod({ dataDir: folder.path, environment: both })
  assert.strictEqual(await statusOf(second.baseUrl, session), 200)
  assert.strictEqual(await statusOf(second.baseUrl, used.headers), 200)
  assert.strictEqual(await valueOf(second.baseUrl, session), "a-secret-4711")
  assert.strictEqual(await feedStatus(second.baseUrl), 200)
  const later = await signInOwner(second.baseUrl)
  const made = await createKey(second.baseUrl, later)
  for (;;) {
    const older = await olderIn(second.baseUrl, later)
    if (older["vaults"] === 0 && older["keys"] === 1 && older["calendar feeds"] === 0) {
      assert.isAtLeast(older["sessions"] ?? 0, 1)
      break
    }
    await aMoment()
  }
  const doctor = await aCommandLine(folder.path, { environment: { ...both } })(["doctor", "--data-dir", folder.path])
  assert.include(doctor.stdout, "a former value is still needed (keys: 1): keep it in POD_KEY_PEPPER")
  assert.include(doctor.stdout, "nothing needs the former value: remove it from POD_ENCRYPTION_KEY")
  await second.terminate()

  const third = await startPod({ dataDir: folder.path, environment: fresh })
  for (const headers of [later, used.headers, made.headers]) {
    assert.strictEqual(await statusOf(third.baseUrl, headers), 200)
  }
  assert.strictEqual(await valueOf(third.baseUrl, later), "a-secret-4711")
  assert.strictEqual(await feedStatus(third.baseUrl), 200)
  for (const headers of [session, unused.headers]) assert.strictEqual(await statusOf(third.baseUrl, headers), 401)
  assert.strictEqual((await olderIn(third.baseUrl, later))["keys"], 1)
  await third.terminate()

  // The key in `unused` was made with the former value. When the settings contain this value again, the pod accepts the
  // key again.
  const fourth = await startPod({ dataDir: folder.path, environment: both })
  assert.strictEqual(await statusOf(fourth.baseUrl, unused.headers), 200)
  await fourth.terminate()

  const foreign = eachSecret(() => randomBytes(32).toString("base64"))
  const refused = await refusedStart({ dataDir: folder.path, environment: { ...both, ...foreign } })
  assert.strictEqual(refused.code, exitCodes.badSettings)
  assert.include(refused.errors, "POD_KEY_PEPPER")
  folder.remove()
}, 120_000)
