/**
 * Signed assertions over HTTP, with an issuer that the test runs: every refusal, and that an assertion can be used only
 * once.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { anIssuer, claimsOf, secondsNow, signedBy, type TestIssuer as Issuer } from "../../support/issuer.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"

const path = "/api/hub/federation/oidc-config"
const audience = "https://pod.example.com"

const now = secondsNow
const claims = (issuer: string, more: JWTPayload = {}) => claimsOf(issuer, audience, more)
const signed = signedBy

for (const [where, storage] of storages) {
  describe(`signed assertions of other issuers ${where}`, () => {
    let pod: TestPod
    let issuer: Issuer
    let other: Issuer
    let broken: Issuer
    let liar: Issuer

    const sent = (assertion: string, caller: Caller = pod.owner) => caller.send("POST", path, { assertion })
    const refused = async (assertion: string, words: RegExp) => {
      const { body, status } = await sent(assertion)
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.match(body.error, words)
      assert.notInclude(JSON.stringify(body), assertion)
    }

    beforeAll(async () => {
      ;[issuer, other, broken, liar] = [await anIssuer(), await anIssuer(), await anIssuer(), await anIssuer()]
      broken.metadata.status = 500
      liar.metadata.issuer = "https://elsewhere.example.com"
      const issuers = [issuer.url, broken.url, liar.url, "http://unsafe.example.com"]
      pod = await aPod(storage, { oidcIssuers: issuers, oidcAudience: Option.some(audience) })
    })
    afterAll(async () => {
      await pod?.stop()
      for (const each of [issuer, other, broken, liar]) await each?.stop()
    })

    it("a caller without a credential, with a narrow grant or with only the read scope is refused before the pod checks the signed assertion", async () => {
      const assertion = await signed(claims(issuer.url), issuer.privateKey)
      const before = issuer.requests()
      assert.strictEqual((await sent(assertion, pod.stranger)).status, 401)
      const narrow = await pod.aKey(pod.owner, { grant: { permissions: ["entity"] } })
      const reader = await pod.aKey(pod.owner, { scope: ["hub-protocol.read"] })
      for (const key of [narrow, reader]) assert.strictEqual((await sent(assertion, key)).status, 403)
      assert.strictEqual(issuer.requests(), before)
    })

    it("a pod that trusts no issuer refuses every signed assertion, and the message says why", async () => {
      const alone = await aPod({ kind: "memory" })
      const assertion = await signed(claims(issuer.url), issuer.privateKey)
      const { body, status } = await alone.owner.send("POST", path, { assertion })
      assert.deepStrictEqual([status, /trusts no issuer/.test(body.error)], [400, true])
      await alone.stop()
    })

    it("a text that is not a signed assertion of a trusted issuer is refused", async () => {
      await refused("not a token", /not a signed JWT/)
      await refused(new UnsecuredJWT(claims(issuer.url)).encode(), /not a signed JWT|signature/)
      await refused(await signed(claims(other.url), other.privateKey), /does not trust the issuer/)
      await refused(await signed(claims("http://unsafe.example.com"), issuer.privateKey), /does not trust the issuer/)
      await refused(await signed(claims(issuer.url), other.privateKey), /signature/)
      await refused(await signed(claims(issuer.url), issuer.privateKey, "two"), /signature/)
      const secret = new TextEncoder().encode("a shared secret proves nothing here!")
      const shared = await new SignJWT(claims(issuer.url)).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret)
      await refused(shared, /signature/)
      assert.strictEqual(other.requests(), 0)
    })

    it("the pod refuses a signed assertion that is for another audience or purpose, has no id, or has a wrong issue time or lifetime", async () => {
      const withClaims = (more: JWTPayload) => signed(claims(issuer.url, more), issuer.privateKey)
      await refused(await withClaims({ aud: "https://other.example.com" }), /claim `aud`/)
      await refused(await withClaims({ purpose: "sign-in" }), /purpose/)
      const { jti: _, ...unnamed } = claims(issuer.url)
      await refused(await signed(unnamed, issuer.privateKey), /jti/)
      await refused(await withClaims({ iat: now() - 400, exp: now() + 60 }), /issued more than 300 seconds ago/)
      await refused(await withClaims({ iat: now() - 200, exp: now() - 60 }), /has expired/)
      await refused(await withClaims({ iat: now() + 100, exp: now() + 200 }), /is not valid yet/)
      await refused(await withClaims({ exp: now() + 3600 }), /valid for too long/)
      const { exp: _exp, ...endless } = claims(issuer.url)
      await refused(await signed(endless, issuer.privateKey), /claim `exp` of the assertion is missing/)
    })

    it("the pod reports the issuer of an assertion as unavailable if this issuer does not answer, or if the answer contains another issuer's name", async () => {
      for (const { privateKey, url } of [broken, liar]) {
        assert.strictEqual((await sent(await signed(claims(url), privateKey))).status, 503)
      }
    })

    it("a signed assertion is accepted once, even if it is sent several times at the same moment, and the pod caches the issuer's keys", async () => {
      const assertion = await signed(claims(issuer.url), issuer.privateKey)
      const answers = await Promise.all([sent(assertion), sent(assertion), sent(assertion)])
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 400, 400]
      )
      assert.deepStrictEqual(answers.find(({ status }) => status === 200)?.body, { ok: true })
      await refused(assertion, /already used/)
      const before = issuer.requests()
      assert.strictEqual((await sent(await signed(claims(issuer.url), issuer.privateKey))).status, 200)
      assert.strictEqual(issuer.requests(), before)
      assert.strictEqual(
        (await sent(await signed(claims(issuer.url), issuer.privateKey), await pod.aKey(pod.owner))).status,
        200
      )
    })
  })
}
