/** Example of a test that a team writes for its own store, on a pod in memory. ARCHITECTURE.md contains this code. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, it } from "@effect/vitest"
import { Effect, Either, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { KeyUnknown } from "../src/features/keys/Key.ts"
import { KeyStore } from "../src/features/keys/KeyStore.ts"
import { People } from "../src/features/people/People.ts"
import { load } from "../src/platform/settings/SettingsLoad.ts"
import * as Pod from "../src/Pod.ts"
import type { PodOptions } from "../src/PodOptions.ts"
import * as Serve from "../src/Serve.ts"
import { Server } from "../src/surfaces/Server.ts"
import { projectRoot } from "./support/migrations.ts"

/**
 * The team's own rule: the pod refuses the key of a lost device. In everything else, this store does the same as the
 * store that it replaces.
 */
const lost = new Set(["old laptop"])
const withoutLostDevices = Layer.effect(
  KeyStore,
  Effect.map(KeyStore, (keys) => ({
    ...keys,
    verify: (hash: Buffer) =>
      Effect.filterOrFail(
        keys.verify(hash),
        ({ keyName }) => !lost.has(keyName),
        () => new KeyUnknown()
      )
  }))
)

const { settings } = Either.getOrThrow(load({ environment: {}, dotenv: undefined, readFile: Either.left }))
const options: PodOptions = {
  pepper: Redacted.make("a pepper for tests, of no less than 32 bytes"),
  sessionSecret: Redacted.make("a secret for tests, of no less than 32 bytes"),
  encryptionKey: Redacted.make("a secret for tests, of no less than 32 bytes"),
  sessionSeconds: 3600,
  isProduction: false,
  baseUrl: "http://localhost",
  rateLimitPerMinute: 1000,
  searchMemoryBytes: 64 * 1024 * 1024
}
const pod = Serve.layer({ ...settings, port: 0 }).pipe(
  Layer.provideMerge(Pod.layerMemory(options, withoutLostDevices)),
  Layer.provide(NodeFileSystem.layer),
  Layer.orDie
)

it.live("the pod refuses the key of a lost device and accepts the key of the new device", () =>
  Effect.gen(function* () {
    const { port } = yield* Server
    const owner = { email: "owner@example.com", password: "correct horse battery staple" }
    yield* (yield* People).claim({ ...owner, password: Redacted.make(owner.password), name: "Owner" })

    const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
      Effect.promise(async () => {
        const init = { method, headers: { "content-type": "application/json", ...headers } }
        const answer = await fetch(
          `http://127.0.0.1:${port}${path}`,
          body === undefined ? init : { ...init, body: JSON.stringify(body) }
        )
        // The test casts the answer to the expected type. If the answer has another form, the test fails.
        return {
          status: answer.status,
          body: (await answer.json()) as { token: string; result: { data: { key: string } } }
        }
      })
    const signedIn = yield* ask("POST", "/auth/sign-in", {}, owner)
    const session = { "x-session-token": signedIn.body.token }
    const statusThrough = (keyName: string) =>
      Effect.gen(function* () {
        const order = { keyName, scope: ["hub-protocol.read"], grant: { permissions: ["*"] } }
        const made = yield* ask("POST", "/trpc/apiKeys.create", session, order)
        const bearer = { authorization: `Bearer ${made.body.result.data.key}` }
        return (yield* ask("GET", "/api/hub/entities", bearer)).status
      })

    assert.strictEqual(yield* statusThrough("old laptop"), 401)
    assert.strictEqual(yield* statusThrough("new laptop"), 200)
  }).pipe(Effect.provide(pod))
)

it("the code blocks in ARCHITECTURE.md about a pod in memory are parts of podInMemory.test.ts", () => {
  const [, section = ""] = readFileSync(`${projectRoot}ARCHITECTURE.md`, "utf8").split(
    "## Test your own app against a pod in memory"
  )
  const [own] = section.split("\n## ")
  const blocks = [...own.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code)
  const file = readFileSync(`${projectRoot}test/podInMemory.test.ts`, "utf8")
  assert.lengthOf(blocks, 3)
  for (const block of blocks) assert.include(file, block)
})
