/** The public keys of issuers: found over HTTP with a time limit, and remembered for some minutes. */
import { Data, Effect } from "effect"
import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose"

const answerMostMs = 3_000
const rememberedMs = 600_000
const cooldownMs = 30_000 // between two look-ups of a missing key, so that strangers cannot make the pod ask often

export class IssuerUnreachable extends Data.TaggedError("IssuerUnreachable")<{ readonly cause: unknown }> {}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * Whether keys may be fetched from this address. Without encryption, an attacker on the network could replace the keys.
 */
export const isSafeAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { hostname, protocol } = new URL(address)
  return protocol === "https:" || (protocol === "http:" && loopback.has(hostname))
}

const withoutSlash = (text: unknown) => (typeof text === "string" ? text.replace(/\/+$/, "") : undefined)

const keysAddressOf = async (issuer: string): Promise<URL> => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    redirect: "error",
    signal: AbortSignal.timeout(answerMostMs),
    headers: { accept: "application/json" }
  })
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`)
  const found = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown } | null
  const address = found?.jwks_uri
  if (withoutSlash(found?.issuer) !== issuer) throw new Error("the issuer's configuration names another issuer")
  if (typeof address !== "string" || !isSafeAddress(address))
    throw new Error("the issuer's configuration has no https address for its keys")
  return new URL(address)
}

/** Makes the function that finds the keys of a trusted issuer. */
export const issuerKeys = () => {
  const known = new Map<string, JWTVerifyGetKey>()
  return (issuer: string): Effect.Effect<JWTVerifyGetKey, IssuerUnreachable> =>
    Effect.suspend(() => {
      const keys = known.get(issuer)
      if (keys !== undefined) return Effect.succeed(keys)
      return Effect.tryPromise({
        try: async () => {
          const options = { timeoutDuration: answerMostMs, cacheMaxAge: rememberedMs, cooldownDuration: cooldownMs }
          return createRemoteJWKSet(await keysAddressOf(issuer), options)
        },
        catch: (cause) => new IssuerUnreachable({ cause })
      }).pipe(Effect.tap((found) => Effect.sync(() => void known.set(issuer, found))))
    })
}
