/** An issuer of signed assertions for tests: a server with its configuration and its keys. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { uuidv7 } from "../../src/platform/Ids.ts"

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"]

export interface TestIssuer {
  readonly url: string
  readonly requests: () => number
  readonly stop: () => Promise<void>
  readonly privateKey: PrivateKey
  /** The metadata that the issuer publishes. A test can set false metadata. */
  readonly metadata: { issuer?: string; status: number }
  /** Makes the issuer wait with its answers. Returns the function that lets the issuer answer again. */
  readonly hold: () => () => void
}

export const anIssuer = async (): Promise<TestIssuer> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256")
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }] }
  const metadata: TestIssuer["metadata"] = { status: 200 }
  let requests = 0
  let url = ""
  let beforeAnswer = Promise.resolve()
  const server = createServer(async (request, response) => {
    requests += 1
    await beforeAnswer
    const body = request.url === "/keys" ? keys : { issuer: metadata.issuer ?? url, jwks_uri: `${url}/keys` }
    response.writeHead(metadata.status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests: () => requests,
    privateKey,
    metadata,
    hold: () => {
      let release = () => {}
      beforeAnswer = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
  }
}

export const secondsNow = () => Math.floor(Date.now() / 1000)

/** Returns the claims of a new, valid assertion of the issuer. */
export const claimsOf = (issuer: string, audience: string, more: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  iat: secondsNow(),
  exp: secondsNow() + 120,
  jti: uuidv7(),
  ...more
})

export const signedBy = (payload: JWTPayload, key: PrivateKey, kid = "one") =>
  new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid }).sign(key)
