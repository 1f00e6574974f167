/**
 * How a pod gets its first owner over HTTP: who may become the owner, that only one person becomes the owner, and what
 * strangers learn.
 */
import { createHash } from "node:crypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, it } from "@effect/vitest"
import { Context, DateTime, Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import type { PodOptions } from "../../../src/PodOptions.ts"
import { People } from "../../../src/features/people/People.ts"
import { PeopleStore } from "../../../src/features/people/PeopleStore.ts"
import * as Serve from "../../../src/Serve.ts"
import { Server } from "../../../src/surfaces/Server.ts"
import { sharedPassword as password } from "../../support/cheapPassword.ts"
import { exchange } from "../../support/exchange.ts"
import { podOver, type Storage } from "../../support/pod.ts"
import { aSettings } from "../../support/settings.ts"
import { storages } from "../../support/storages.ts"

const token = "0123456789".repeat(4)

/** Starts a pod without an owner, on a free port. */
const anUnownedPod = async (storage: Storage, provisioningToken?: string) => {
  const settings = aSettings({ port: 0 })
  const options: PodOptions = {
    pepper: Redacted.make("a pepper for tests, of no less than 32 bytes"),
    sessionSecret: Redacted.make("0123456789abcdefghijklmnopqrstuvwxyzABCDEF"),
    encryptionKey: Redacted.make("9876456789abcdefghijklmnopqrstuvwxyzABCDEF"),
    sessionSeconds: 3600,
    isProduction: false,
    baseUrl: "https://pod.example.com",
    rateLimitPerMinute: 1_000_000,
    searchMemoryBytes: settings.searchMemoryBytes,
    provisioningToken: provisioningToken === undefined ? undefined : Redacted.make(provisioningToken)
  }
  // The layer provides the services that the surfaces need, on each storage.
  const pod = podOver(storage, options, {}) as unknown as Layer.Layer<any>
  const runtime = ManagedRuntime.make(pod)
  const scope = Effect.runSync(Scope.make())
  const listening = Effect.map(
    Layer.buildWithScope(Layer.provide(Serve.layer(settings), NodeFileSystem.layer), scope),
    Context.get(Server)
  )
  const { port } = await runtime.runPromise(listening as Effect.Effect<typeof Server.Service, unknown>)
  const send = async (method: string, path: string, body?: unknown, credential?: string, mount = "/api/hub/setup") => {
    const answer = await exchange(
      `http://127.0.0.1:${port}${mount}${path}`,
      method,
      {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` })
      },
      body === undefined ? undefined : JSON.stringify(body)
    )
    return { status: answer.status, body: JSON.parse(answer.text) }
  }
  return {
    send,
    /** Stores a setup link that expired an hour ago. */
    keepLink: (text: string) =>
      runtime.runPromise(
        Effect.flatMap(PeopleStore, ({ addSetupLink }) =>
          addSetupLink(
            createHash("sha256").update(text).digest(),
            DateTime.subtract(DateTime.unsafeNow(), { hours: 1 })
          )
        ) as Effect.Effect<void>
      ),
    link: () =>
      runtime.runPromise(Effect.flatMap(People, ({ setupLink }) => setupLink) as Effect.Effect<Redacted.Redacted>),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}

const someone = (name: string) => ({ email: `${name}@example.com`, password, name })

for (const [, storage] of storages) {
  it(`a stranger without the setup link or the provisioning token does not become the owner (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage, token)
    assert.deepStrictEqual((await pod.send("GET", "/status")).body, {
      hasAdmin: false,
      needsSetup: true,
      workspaceCount: 0
    })
    assert.strictEqual((await pod.send("POST", "/first-admin", someone("stranger"))).status, 401)
    assert.strictEqual((await pod.send("POST", "/first-admin", someone("stranger"), `${token}0`)).status, 401)
    assert.strictEqual(
      (await pod.send("POST", "/first-admin", { ...someone("stranger"), magicToken: "guess" })).status,
      409
    )
    assert.strictEqual((await pod.send("POST", "/magic-link")).status, 401)
    assert.strictEqual((await pod.send("POST", "/agent", {}, token)).body.code, "NO_OWNER")
    assert.isFalse((await pod.send("GET", "/status")).body.hasAdmin)
    await pod.stop()
  })

  it(`if several people claim the pod at the same moment, one person becomes the owner and the other people get 409 (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage, token)
    const link = Redacted.value(await pod.link())
    const made = await pod.send("POST", "/magic-link", undefined, token)
    assert.deepStrictEqual(made.body.url, `https://pod.example.com/admin/setup#${made.body.token}`)
    const answers = await Promise.all([
      pod.send("POST", "/first-admin", { ...someone("one"), magicToken: link }),
      pod.send("POST", "/first-admin", { ...someone("two"), magicToken: made.body.token }),
      pod.send("POST", "/first-admin", someone("three"), token),
      pod.send("POST", "/first-admin", someone("four"), token)
    ])
    assert.deepStrictEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409, 409, 409]
    )
    assert.deepStrictEqual((await pod.send("GET", "/status")).body, { hasAdmin: true, needsSetup: false })
    const late = await pod.send("POST", "/first-admin", { ...someone("late"), magicToken: link })
    assert.deepStrictEqual([late.status, late.body.code], [409, "ALREADY_CLAIMED"])
    assert.strictEqual((await pod.send("POST", "/magic-link", undefined, token)).status, 409)
    await pod.stop()
  })

  it(`a used, an expired and an unknown setup link get different answers, each with the command that helps the person (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage, token)
    const claim = async (magicToken: string) => {
      const { body, status } = await pod.send("POST", "/first-admin", { ...someone("one"), magicToken })
      return [status, body.code ?? "", body.error ?? ""] as const
    }
    const expired = "a link of an hour ago"
    await pod.keepLink(expired)
    const [, ...ofExpired] = await claim(expired)
    const [, ...ofUnknown] = await claim("guess")
    assert.deepStrictEqual([ofExpired[0], ofUnknown[0]], ["SETUP_LINK_INVALID", "SETUP_LINK_INVALID"])
    assert.match(ofExpired[1], /has expired: a link works for 30 minutes\. Run `pod setup-link`/)
    assert.match(ofUnknown[1], /is not valid\. Run `pod setup-link`/)
    const link = Redacted.value(await pod.link())
    assert.strictEqual((await claim(link))[0], 200)
    const used = await claim(link)
    assert.deepStrictEqual(used.slice(0, 2), [409, "ALREADY_CLAIMED"])
    assert.match(used[2], /^This setup link was already used, .* `pod owner reset-password`/)
    for (const other of [expired, "guess"]) {
      assert.deepStrictEqual(await claim(other), [
        409,
        "ALREADY_CLAIMED",
        "This pod already has an owner. Sign in, or ask the owner for an invitation."
      ])
    }
    await pod.stop()
  })

  it(`a claim with an invalid name for the pod makes no owner, and after a claim with a valid name, strangers can read the name at once (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage, token)
    const claim = (podName: string) => pod.send("POST", "/first-admin", { ...someone("first"), podName }, token)
    assert.strictEqual((await claim("\u202e")).status, 400)
    assert.isFalse((await pod.send("GET", "/status")).body.hasAdmin)
    assert.strictEqual((await claim("Harbour office")).status, 200)
    assert.deepInclude((await pod.send("GET", "/status")).body, { hasAdmin: true, podName: "Harbour office" })
    await pod.stop()
  })

  it(`a request can ask whether a setup link works, and the request does not use up the link (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage, token)
    const [link, expired] = [Redacted.value(await pod.link()), "an expired link"]
    await pod.keepLink(expired)
    const check = async (text: string) =>
      (await pod.send("POST", "/check-link", { token: text }, undefined, "/setup")).status
    assert.strictEqual(await check("guess"), 409)
    assert.strictEqual(await check(expired), 409)
    assert.strictEqual(await check(link), 200)
    assert.strictEqual(await check(link), 200)
    assert.strictEqual((await pod.send("POST", "/first-admin", { ...someone("first"), magicToken: link })).status, 200)
    assert.strictEqual(await check(link), 409)
    await pod.stop()
  })

  it(`a pod without a provisioning token accepts no token, not even an empty token (storage: ${storage.kind})`, async () => {
    const pod = await anUnownedPod(storage)
    for (const credential of ["undefined", " ", token]) {
      assert.strictEqual((await pod.send("POST", "/magic-link", undefined, credential)).status, 401)
      assert.strictEqual((await pod.send("POST", "/first-admin", someone("x"), credential)).status, 401)
    }
    await pod.stop()
  })
}
