/**
 * Each 401 answer has the reason code that clients use, and a sentence that says what was wrong and what to do next.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Redacted } from "effect"
import { mintSecret } from "../../src/features/keys/KeySecret.ts"
import { procedureData } from "../attacks/attackScene.ts"
import { aStoredKey } from "../doors/callers.ts"
import { mcp } from "../doors/surfaces.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"

interface Refusal {
  readonly reason: string
  readonly message: string
}

describe("the message in a 401 answer", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod?.stop())

  const bearer = (secret: string) => pod.as({ authorization: `Bearer ${secret}` })

  /**
   * Sends one credential to REST and, if it is a bearer token, also to /api/hub/trpc and MCP. All these surfaces must
   * answer with the same sentence.
   */
  const refusalOf = async (caller: Caller): Promise<Refusal> => {
    const rest = await caller.send("GET", "/api/hub/users/me")
    assert.strictEqual(rest.status, 401, JSON.stringify(rest.body))
    const { message, reason } = rest.body as Refusal
    if ("authorization" in caller.headers) {
      const bridged = (await caller.query("svc.me")).body.error
      assert.deepInclude(bridged.data, { reason, httpStatus: 401 })
      assert.strictEqual(bridged.message, message)
      const answer = (await mcp(caller, "tools/list", {})) as unknown as { status: number; message: { error: Refusal } }
      assert.deepStrictEqual([answer.status, answer.message.error.message], [401, message])
    }
    return { reason, message }
  }
  const expectRefusal = async (caller: Caller, reason: string, message: RegExp) => {
    const answer = await refusalOf(caller)
    assert.strictEqual(answer.reason, reason)
    assert.match(answer.message, message)
    for (const value of Object.values(caller.headers)) assert.notInclude(answer.message, value.slice(-20))
  }

  it("the message of a 401 says whether the bearer token does not look like a key, is cut off at the end, or contains a typing error", async () => {
    const secret = Redacted.value(mintSecret("svc_user_"))
    await expectRefusal(
      bearer("ghp_0123456789abcdef"),
      "invalid_format",
      /begins with svc_user_.*X-Session-Token` to \/api\/hub or \/trpc/
    )
    await expectRefusal(bearer("svc_user_"), "invalid_format", /cut off/)
    await expectRefusal(bearer(secret.slice(0, 30)), "key_revoked", /cut off/)
    await expectRefusal(bearer(secret.slice(0, -1)), "key_revoked", /cut off/)
    const last = secret.endsWith("0") ? "1" : "0"
    await expectRefusal(bearer(secret.slice(0, -1) + last), "key_revoked", /checksum/)
    await expectRefusal(bearer(`${secret}x`.padEnd(300, "x")), "invalid_format", /longer than a key/)
  })

  it("if a key has the right form but is unknown, the message of the 401 says only that the key is unknown or revoked", async () => {
    await expectRefusal(
      bearer(Redacted.value(mintSecret("svc_user_"))),
      "key_revoked",
      /is revoked, or this pod does not know it/
    )
    await expectRefusal(
      bearer(`svc_hub_live_${"a1".repeat(32)}`),
      "key_revoked",
      /is revoked, or this pod does not know it/
    )
  })

  it("the message of a 401 says whether the key was revoked or expired, or whether its holder is suspended", async () => {
    const revoked = await pod.aKey(pod.owner)
    await pod.owner.mutate("apiKeys.revoke", { keyId: revoked.id })
    await expectRefusal(revoked, "key_revoked", /^This key is not valid any more: it was revoked/)
    const past = DateTime.unsafeMake("2001-01-01T00:00:00Z")
    const { secret } = await aStoredKey(pod, pod.ownerId, { expiresAt: past })
    await expectRefusal(bearer(secret), "expired", /^This key has expired/)
    const agentId = procedureData(await pod.owner.mutate("agents.create", { name: "Scribe" })).id
    const agentKey = await pod.aKey(pod.owner, { agentId })
    await pod.owner.mutate("agents.update", { agentId, isSuspended: true })
    await expectRefusal(agentKey, "key_revoked", /suspended/)
  })

  it("if a session token is in the header Authorization, or a key in X-Session-Token, the message of the 401 names the right header", async () => {
    const token = pod.owner.headers["x-session-token"] ?? ""
    await expectRefusal(bearer(token), "invalid_format", /X-Session-Token/)
    const { secret } = await pod.aKey(pod.owner)
    await expectRefusal(pod.as({ "x-session-token": secret }), "key_revoked", /Authorization: Bearer/)
  })

  it("if a session is invalid, the message of the 401 says that the session is unknown or has ended, and says how to sign in again", async () => {
    const person = await pod.aPerson()
    await person.send("POST", "/auth/sign-out", {})
    await expectRefusal(
      pod.as(person.headers),
      "key_revoked",
      /unknown or has ended.*signs out.*suspended.*POST \/auth\/sign-in/
    )
  })

  it("if a part of a session token is missing, the message of the 401 says this and says how to sign in again", async () => {
    const token = pod.owner.headers["x-session-token"] ?? ""
    for (const sent of [token.slice(0, -1), token.slice(4), "nonsense"]) {
      await expectRefusal(pod.as({ "x-session-token": sent }), "key_revoked", /cut off.*POST \/auth\/sign-in/)
    }
  })

  it("if a key is sent in X-Session-Token to an endpoint for keys, the message of the 401 says which header is right for keys", async () => {
    const { secret } = await pod.aKey(pod.owner)
    const misplaced = pod.as({ "x-session-token": secret })
    const bridged = (await misplaced.send("GET", "/api/hub/trpc/svc.me")).body.error.message as string
    const tool = (await mcp(misplaced, "tools/list", {})) as unknown as { message: { error: Refusal } }
    for (const message of [bridged, tool.message.error.message]) {
      assert.match(message, /accepts only keys, in `Authorization: Bearer`/)
      assert.notMatch(message, /a sign-in token was sent/)
    }
  })

  it("the message of a 401 says which credential the called endpoint accepts, and which other endpoint accepts the credential of the request", async () => {
    const key = await pod.aKey(pod.owner)
    const ask = async (caller: Caller, method: string, path: string) => {
      const { body, status } = await caller.send(method, path)
      assert.strictEqual(status, 401)
      const { data: beside, message } = body.error
      assert.strictEqual(beside.reason, "no_auth")
      return message as string
    }
    assert.match(await ask(key, "GET", "/trpc/svc.me"), /accepts only sign-in sessions.*\/api\/hub\/trpc/)
    assert.match(await ask(pod.owner, "GET", "/api/hub/trpc/svc.me"), /accepts only keys.*\/trpc/)
    assert.match(await ask(pod.stranger, "GET", "/trpc/svc.me"), /X-Session-Token.*POST \/auth\/sign-in/)
    assert.match(await ask(pod.stranger, "GET", "/api/hub/trpc/svc.me"), /Authorization: Bearer/)
    for (const [caller, sentence] of [
      [pod.owner, /\/mcp accepts only keys.*apiKeys\.create/],
      [pod.stranger, /Send a key in `Authorization: Bearer`. Sign-in tokens work below \/api\/hub and \/trpc/]
    ] as const) {
      const answer = (await mcp(caller, "tools/list", {})) as unknown as { status: number; message: { error: Refusal } }
      assert.strictEqual(answer.status, 401)
      assert.match(answer.message.error.message, sentence)
    }
  })

  it("on an endpoint that does not accept keys, the message of a 401 asks only for a session token", async () => {
    const { body } = await pod.stranger.send("POST", "/auth/sign-out", {})
    assert.strictEqual(body.reason, "no_auth")
    assert.match(body.message, /X-Session-Token/)
    assert.notMatch(body.message, /Send a key/)
    const { body: open } = await pod.stranger.send("GET", "/api/hub/users/me")
    assert.match(open.message, /Authorization: Bearer.*X-Session-Token/)
  })
})
