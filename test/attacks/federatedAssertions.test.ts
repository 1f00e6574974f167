/** Attacks with signed assertions: a stranger makes an assertion, or an issuer sends harmful answers. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { exportJWK, exportSPKI, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPod, type Storage, type TestPod } from "../support/pod.ts"
import { onEachStorage } from "../support/storages.ts"

const path = "/api/hub/federation/oidc-config"
const audience = "https://pod.example.com"
const now = () => Math.floor(Date.now() / 1000)

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

/**
 * Starts a server that records the requests it gets. A test sets the answer for each path, and the server answers "not
 * found" on every other path.
 */
const aServer = async () => {
  const answers = new Map<string, (response: ServerResponse) => void>()
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? "")
    const answer = answers.get(request.url ?? "")
    if (answer === undefined) response.writeHead(404).end()
    else answer(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
type TestServer = Awaited<ReturnType<typeof aServer>>

const json = (body: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const discovery = "/.well-known/openid-configuration"

const jwkOf = async ({ publicKey }: Pair) => ({ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" })

/** Makes an issuer with correct answers. `change` replaces some of these answers. */
const anIssuer = async (pair: Pair, change: (server: TestServer) => void = () => {}): Promise<TestServer> => {
  const server = await aServer()
  const keys = { keys: [await jwkOf(pair)] }
  server.answers.set("/keys", json(keys))
  server.answers.set(discovery, json({ issuer: server.url, jwks_uri: `${server.url}/keys` }))
  change(server)
  return server
}

const claims = (issuer: string, more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  iat: now(),
  exp: now() + 120,
  jti: uuidv7(),
  ...more
})

const signed = (payload: JWTPayload, { privateKey }: Pair, header: Partial<JWTHeaderParameters> = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "one", ...header }).sign(privateKey)

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")

const podTrusting = (storage: Storage, issuers: ReadonlyArray<TestServer>) =>
  aPod(storage, { oidcIssuers: issuers.map(({ url }) => url), oidcAudience: Option.some(audience) })

const statusOf = async (pod: TestPod, assertion: string) => (await pod.owner.send("POST", path, { assertion })).status

describe("attack: an assertion that its issuer did not sign", () => {
  let pair: Pair
  let issuer: TestServer
  let elsewhere: TestServer
  let pod: TestPod
  beforeAll(async () => {
    pair = await generateKeyPair("ES256", { extractable: true })
    issuer = await anIssuer(pair)
    elsewhere = await anIssuer(await generateKeyPair("ES256"))
    pod = await podTrusting({ kind: "memory" }, [issuer])
  })
  afterAll(async () => {
    await pod?.stop()
    await issuer?.stop()
    await elsewhere?.stop()
  })

  it("the pod refuses an assertion without a signature, and an assertion whose signature uses the public key as a shared secret", async () => {
    const payload = claims(issuer.url)
    for (const alg of ["none", "None", "NONE", ""]) {
      for (const end of ["", "."]) {
        assert.strictEqual(await statusOf(pod, `${encoded({ alg, kid: "one" })}.${encoded(payload)}${end}`), 400)
      }
    }
    const { x = "" } = await jwkOf(pair)
    for (const secret of [await exportSPKI(pair.publicKey), x, JSON.stringify(await jwkOf(pair))]) {
      const bytes = Buffer.from(secret.padEnd(32))
      const made = await new SignJWT(payload).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(bytes)
      assert.strictEqual(await statusOf(pod, made), 400)
    }
  })

  it("the pod refuses an assertion that names its issuer with another JSON value than a text", async () => {
    for (const iss of [7, null, true, {}, [], [issuer.url]]) {
      const made = `${encoded({ alg: "ES256", kid: "one" })}.${encoded({ ...claims(issuer.url), iss })}.AAAA`
      assert.strictEqual(await statusOf(pod, made), 400, JSON.stringify(iss))
    }
  })

  it("to verify an assertion, the pod does not use a key, a key URL or a certificate from the header of the assertion", async () => {
    const own = await generateKeyPair("ES256", { extractable: true })
    const jwk = await exportJWK(own.publicKey)
    const headers = [
      { jwk, kid: "one" },
      { jku: `${elsewhere.url}/keys` },
      { x5u: `${elsewhere.url}/keys` },
      { x5c: ["MIIB"] },
      { kid: `${elsewhere.url}/keys` },
      { kid: "../../keys" },
      { kid: "" },
      { kid: "x".repeat(9000) },
      { crit: ["exp"] },
      { crit: [] },
      { crit: ["b64"], b64: false },
      { kid: 7 },
      { kid: ["one"] },
      { kid: null },
      { alg: 7 },
      { alg: ["ES256"] }
    ]
    for (const header of headers) {
      const parts = (await signed(claims(issuer.url), own)).split(".")
      const made = `${encoded({ alg: "ES256", ...header })}.${parts[1]}.${parts[2]}`
      assert.strictEqual(await statusOf(pod, made), 400, JSON.stringify(header).slice(0, 100))
    }
    assert.deepStrictEqual(elsewhere.requests, [])
  })

  it("if many assertions refer to unknown keys, the pod asks the issuer for its keys only once, and not for each assertion", async () => {
    assert.strictEqual(await statusOf(pod, await signed(claims(issuer.url), pair)), 200)
    const before = issuer.requests.length
    const kids = Array.from({ length: 30 }, (_, at) => `rotated ${at}`)
    const answers = await Promise.all(
      kids.map(async (kid) => statusOf(pod, await signed(claims(issuer.url), pair, { kid })))
    )
    assert.deepStrictEqual([...new Set(answers)], [400])
    assert.isAtMost(issuer.requests.length - before, 1)
  })

  it("the pod refuses a signed assertion (a JWT) if one of its times is invalid, in the future or expired", async () => {
    const wrong: ReadonlyArray<JWTPayload> = [
      { nbf: now() + 60 },
      { iat: now() + 60 },
      { exp: now() - 60 },
      { iat: -(10 ** 300), exp: now() + 10 },
      { exp: 10 ** 300 }
    ]
    for (const more of wrong) {
      assert.strictEqual(await statusOf(pod, await signed(claims(issuer.url, more), pair)), 400, JSON.stringify(more))
    }
    for (const more of [{ iat: "now" }, { exp: [now() + 60] }, { nbf: {} }, { jti: 7 }, { jti: "" }, { aud: [] }]) {
      const payload = { ...claims(issuer.url), ...more } as JWTPayload
      const head = encoded({ alg: "ES256", kid: "one" })
      const signature = (
        await new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(pair.privateKey)
      ).split(".")[2]
      assert.strictEqual(await statusOf(pod, `${head}.${encoded(payload)}.${signature}`), 400, JSON.stringify(more))
    }
  })
})

describe("attack: a trusted issuer sends harmful answers", () => {
  const refusedBy = async (change: (server: TestServer) => void) => {
    const pair = await generateKeyPair("ES256")
    const issuer = await anIssuer(pair, change)
    const pod = await podTrusting({ kind: "memory" }, [issuer])
    try {
      assert.strictEqual(await statusOf(pod, await signed(claims(issuer.url), pair)), 503)
      return issuer.requests
    } finally {
      await pod.stop()
      await issuer.stop()
    }
  }
  const endless = (ended: () => void) => (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.on("close", ended)
    const piece = Buffer.alloc(64 * 1024, " ")
    const write = () => {
      while (!response.closed && response.write(piece));
    }
    response.on("drain", write)
    write()
  }

  for (const [what, where] of [
    ["the description of an issuer", discovery],
    ["the key list of an issuer", "/keys"]
  ] as const) {
    it(`if ${what} never ends, the pod stops reading it at a maximum size`, async () => {
      let end: () => void = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      await refusedBy(({ answers }) => answers.set(where, endless(end)))
      await ended
    })

    it(`the pod does not use ${what} if its size is two megabytes`, async () => {
      await refusedBy(({ answers, url }) => {
        const good = { issuer: url, jwks_uri: `${url}/keys`, keys: [], more: "x".repeat(2_000_000) }
        answers.set(where, json(good))
      })
    })

    it(`if ${what} redirects to another server, the pod does not follow the redirection`, async () => {
      const target = await aServer()
      try {
        await refusedBy(({ answers }) =>
          answers.set(where, (response) => response.writeHead(302, { location: `${target.url}/inside` }).end())
        )
        assert.deepStrictEqual(target.requests, [])
      } finally {
        await target.stop()
      }
    })
  }

  it("the pod does not fetch the keys of an issuer from another port of the pod's machine or from a private network", async () => {
    const target = await aServer()
    try {
      for (const address of [`${target.url}/keys`, "https://10.0.0.1/keys", "https://keys.internal/keys"]) {
        await refusedBy(({ answers, url }) => answers.set(discovery, json({ issuer: url, jwks_uri: address })))
      }
      assert.deepStrictEqual(target.requests, [])
    } finally {
      await target.stop()
    }
  })

  it("if the description or the key list of an issuer is missing, the pod requests it only once, however many assertions come from this issuer", async () => {
    const pair = await generateKeyPair("ES256")
    for (const where of [discovery, "/keys"]) {
      const issuer = await anIssuer(pair, ({ answers }) => answers.delete(where))
      const pod = await podTrusting({ kind: "memory" }, [issuer])
      try {
        const ask = async () => statusOf(pod, await signed(claims(issuer.url), pair))
        assert.deepStrictEqual([...new Set(await Promise.all(Array.from({ length: 10 }, ask)))], [503])
        for (let at = 0; at < 5; at++) assert.strictEqual(await ask(), 503)
        assert.lengthOf(
          issuer.requests.filter((asked) => asked === where),
          1
        )
      } finally {
        await pod.stop()
        await issuer.stop()
      }
    }
  })
})

onEachStorage("attack: one assertion sent many times at once", (storage) => {
  it("the pod accepts an assertion only once, even if a client sends the assertion again with an added slash in the issuer or with another signature", async () => {
    const pair = await generateKeyPair("ES256")
    const issuer = await anIssuer(pair)
    const pod = await podTrusting(storage, [issuer])
    try {
      const jti = uuidv7()
      const assertions = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          signed({ ...claims(issuer.url), iss: `${issuer.url}${at % 2 === 0 ? "" : "/"}`, jti }, pair)
        )
      )
      const answers = await Promise.all(assertions.map((assertion) => statusOf(pod, assertion)))
      assert.lengthOf(
        answers.filter((status) => status === 200),
        1
      )
      assert.lengthOf(
        answers.filter((status) => status === 400),
        11
      )
    } finally {
      await pod.stop()
      await issuer.stop()
    }
  })
})
