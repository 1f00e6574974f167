/**
 * Finds the public keys of issuers over HTTP, with limits of time and size, and caches the keys for some minutes. The
 * pod trusts an issuer only to sign. An issuer must not choose which addresses the pod calls, or how much the pod
 * reads.
 */
import { Data, Effect, Predicate } from "effect"
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose"
import { guardedFetch } from "../outbound/GuardedFetch.ts"
import type { OutboundSettings } from "../outbound/OutboundCall.ts"
import { addressFault } from "../workspaces/ProviderAddress.ts"
import { isLocalhost } from "../../platform/Loopback.ts"
import { parsedUrl, withoutLastSlashes } from "../../platform/ParsedUrl.ts"

const answerMaxMs = 3_000
// the maximum number of bytes of one answer; a hundred keys with their certificates have fewer bytes
const bytesMax = 256 * 1024
const rememberedMs = 600_000
// milliseconds; in this time the pod looks up unknown keys only once, so that strangers cannot cause many look-ups
const cooldownMs = 30_000
export const restSeconds = 10 // seconds; the time after a failed look-up in which the pod does not ask the issuer again

export class IssuerUnreachable extends Data.TaggedError("IssuerUnreachable")<{ readonly cause: unknown }> {}

/**
 * Returns true if the connection to this address is safe: https, or http on this machine. Without encryption, an
 * attacker on the network could replace the keys.
 */
export const isSafeAddress = (address: string): boolean => {
  const url = parsedUrl(address)
  if (url === undefined) return false
  const { hostname, protocol } = url
  return protocol === "https:" || (protocol === "http:" && isLocalhost(hostname))
}

/**
 * Returns true if the pod is allowed to fetch keys from this address. Only the operator is allowed to name an address
 * of this machine or network. A host that an issuer names must be public.
 */
const isAddressOfKeys = (issuer: string, address: string): boolean => {
  if (!isSafeAddress(address)) return false
  const { origin } = new URL(address)
  return origin === new URL(issuer).origin || (origin.startsWith("https:") && addressFault(origin, false) === undefined)
}

const withoutSlash = (text: unknown) => (typeof text === "string" ? withoutLastSlashes(text) : undefined)

/** Reads the body of an HTTP answer. Throws as soon as the body is too long. */
const textOf = async (response: Response): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let read = 0
  for await (const piece of response.body ?? []) {
    read += piece.length
    if (read > bytesMax) throw new Error(`the issuer answered more than ${bytesMax} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

type FetchText = (address: string, signal: AbortSignal) => Promise<string>

/**
 * Makes the function that fetches a text for an issuer. It follows no redirect, because a redirect could lead to any
 * address. Only the operator may name an address of this machine or network, in the list of trusted issuers (`trusted`).
 * Every other address must be one that the pod may call for a person, also an address whose name leads to this network.
 */
const fetchTextFor = (issuer: string, trusted: ReadonlyArray<string>, outbound: OutboundSettings): FetchText => {
  const guarded = guardedFetch(outbound)
  const headers = { accept: "application/json" }
  return async (address, signal) => {
    const isOperators = trusted.includes(issuer) && new URL(address).origin === new URL(issuer).origin
    const response = await (isOperators
      ? fetch(address, { redirect: "error", signal, headers })
      : guarded(address, { method: "GET", signal, headers }))
    if (response.status === 200) return textOf(response)
    await response.body?.cancel()
    throw new Error(`the issuer answered ${response.status}`)
  }
}

const keysAddressOf = async (issuer: string, fetchText: FetchText): Promise<URL> => {
  const text = await fetchText(`${issuer}/.well-known/openid-configuration`, AbortSignal.timeout(answerMaxMs))
  const found: unknown = JSON.parse(text)
  const { issuer: named, jwks_uri: address } = Predicate.isRecord(found) ? found : {}
  if (withoutSlash(named) !== issuer) throw new Error("the issuer's configuration names another issuer")
  if (typeof address !== "string" || !isAddressOfKeys(issuer, address))
    throw new Error("the issuer's configuration has no safe address for its keys")
  return new URL(address)
}

/**
 * Returns a function that runs the work, with only one run at a time. A second caller waits for the same run. For
 * `restSeconds` after a failure, the function does not run the work again and fails with the same cause.
 */
const withPause = <A>(work: () => Promise<A>): ((nowMs: () => number) => Promise<A>) => {
  let running: Promise<A> | undefined
  let failed: { readonly untilMs: number; readonly cause: unknown } | undefined
  return (nowMs) => {
    if (failed !== undefined && nowMs() < failed.untilMs) return Promise.reject(failed.cause)
    running ??= work()
      .catch((cause: unknown) => {
        failed = { untilMs: nowMs() + restSeconds * 1000, cause }
        throw cause
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
}

const keysAt = (address: URL, fetchText: FetchText, nowMs: () => number): JWTVerifyGetKey => {
  const fetchKeys = withPause(() => fetchText(address.href, AbortSignal.timeout(answerMaxMs)))
  return createRemoteJWKSet(address, {
    timeoutDuration: answerMaxMs,
    cacheMaxAge: rememberedMs,
    cooldownDuration: cooldownMs,
    [customFetch]: async () => new Response(await fetchKeys(nowMs))
  })
}

interface CachedKeys {
  readonly keys: JWTVerifyGetKey
  readonly untilMs: number
}

/**
 * Makes the function that finds the keys of an issuer. `trusted` has the addresses of the issuers that the operator
 * trusts.
 */
export const issuerKeys = (trusted: ReadonlyArray<string>, outbound: OutboundSettings) => {
  const known = new Map<string, CachedKeys>()
  const lookUps = new Map<string, ReturnType<typeof withPause<CachedKeys>>>()
  const lookUpOf = (issuer: string, nowMs: () => number) => {
    let lookUp = lookUps.get(issuer)
    if (lookUp === undefined) {
      lookUp = withPause(async () => {
        const fetchText = fetchTextFor(issuer, trusted, outbound)
        const keys = keysAt(await keysAddressOf(issuer, fetchText), fetchText, nowMs)
        return { keys, untilMs: nowMs() + rememberedMs }
      })
      lookUps.set(issuer, lookUp)
    }
    return lookUp
  }
  return (issuer: string): Effect.Effect<JWTVerifyGetKey, IssuerUnreachable> =>
    Effect.clockWith((clock) => {
      const nowMs = () => clock.unsafeCurrentTimeMillis()
      const found = known.get(issuer)
      if (found !== undefined && nowMs() < found.untilMs) return Effect.succeed(found.keys)
      return Effect.tryPromise({
        try: () => lookUpOf(issuer, nowMs)(nowMs),
        catch: (cause) => new IssuerUnreachable({ cause })
      }).pipe(
        Effect.tap((fresh) => Effect.sync(() => void known.set(issuer, fresh))),
        Effect.map(({ keys }) => keys)
      )
    })
}
