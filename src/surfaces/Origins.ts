/** Decides which web pages are allowed to call the pod, and finds the real address of a client behind a proxy. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { BlockList, isIP } from "node:net"
import { dialectOf } from "../doors/Dialect.ts"
import { fieldHeaders } from "../doors/HeaderFields.ts"
import { parsedUrl } from "../platform/ParsedUrl.ts"
import { commonHeaders, headerComponents } from "./OpenApiFailures.ts"

export interface OriginSettings {
  readonly publicUrl: string | undefined
  readonly corsOrigins: ReadonlyArray<string>
}

/**
 * Returns a function that checks whether a request is allowed to change data. Such a request has no origin, or comes
 * from a page of the pod or of an allowed origin.
 */
export const originGuard =
  ({ publicUrl, corsOrigins }: OriginSettings) =>
  (request: IncomingMessage): boolean => {
    const { origin, host } = request.headers
    if (origin === undefined) return true
    if (corsOrigins.includes(origin) || (publicUrl !== undefined && new URL(publicUrl).origin === origin)) return true
    return parsedUrl(origin)?.host === host
  }

/**
 * The request headers that a web page is allowed to send. A test fails if the pod reads a header that is missing here.
 */
const allowedHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "prefer",
  "x-session-token",
  "x-request-id",
  "traceparent",
  "last-event-id",
  "trpc-accept",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  ...fieldHeaders
].join(", ")

/** Headers in which the OpenAI client for browsers describes itself. The pod does not read them. */
const openAiClientHeaders = ["openai-organization", "openai-project"]
const openAiClientPrefix = "x-stainless-"

/**
 * Returns the request headers that a web page is allowed to send to this path. OpenAI clients list additional headers
 * of their own in the preflight request, and the pod allows these.
 */
const allowedAt = ({ headers, url = "" }: IncomingMessage): string => {
  if (dialectOf(url.split("?", 1)[0] ?? "") !== "openai") return allowedHeaders
  const requestedHeaders = (headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith(openAiClientPrefix) && /^[a-z0-9-]{1,60}$/.test(name))
  return [allowedHeaders, ...openAiClientHeaders, ...new Set(requestedHeaders.slice(0, openAiHeadersMax))].join(", ")
}
// the maximum number of additional headers; an OpenAI client sends about ten headers of its own
const openAiHeadersMax = 30

/** The response headers that a web page is allowed to read: all headers in the API description, and `allow`. */
const exposedHeaders = [...new Set([...Object.keys(headerComponents), ...commonHeaders, "allow"])].join(", ")

/**
 * Answers preflight requests, and lets pages of the allowed origins read answers. Returns true if the response is
 * finished.
 */
export const cors =
  ({ corsOrigins }: OriginSettings) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { origin } = request.headers
    const isNamed = origin !== undefined && corsOrigins.includes(origin)
    if (isNamed) {
      response.setHeader("access-control-allow-origin", origin)
      response.setHeader("access-control-expose-headers", exposedHeaders)
      response.setHeader("vary", "origin")
    }
    if (request.method !== "OPTIONS") return false
    if (isNamed) {
      response.setHeader("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
      response.setHeader("access-control-allow-headers", allowedAt(request))
      response.setHeader("access-control-max-age", "600")
    }
    response.writeHead(204, { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" })
    response.end()
    return true
  }

const plainAddress = (address: string) => (address.startsWith("::ffff:") ? address.slice(7) : address)
const peerOf = (request: IncomingMessage) => plainAddress(request.socket.remoteAddress ?? "")

/** Returns a function that checks whether an address belongs to a trusted proxy. `trusted` are addresses and ranges. */
const proxyCheck = (trusted: ReadonlyArray<string>): ((address: string) => boolean) => {
  const proxies = new BlockList()
  for (const entry of trusted) {
    const [address, bits] = entry.split("/")
    const family = isIP(address) === 6 ? "ipv6" : "ipv4"
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
}

/**
 * Returns a function that checks whether a request comes from a trusted proxy. The pod reads forwarding headers only
 * from such a request.
 */
export const trustedProxyCheck = (trusted: ReadonlyArray<string>): ((request: IncomingMessage) => boolean) => {
  const isProxy = proxyCheck(trusted)
  return (request) => isProxy(peerOf(request))
}

/**
 * Returns a function that finds the address of the client. Without a trusted proxy, this is the address of the
 * connection. Behind a trusted proxy, it is the nearest forwarded address that is not a trusted proxy. The pod ignores
 * forwarding headers of other senders.
 */
export const clientAddress = (trusted: ReadonlyArray<string>): ((request: IncomingMessage) => string) => {
  const isProxy = proxyCheck(trusted)
  return (request) => {
    let nearest = peerOf(request)
    if (trusted.length === 0) return nearest
    const forwarded = String(request.headers["x-forwarded-for"] ?? "")
      .split(",")
      .map((part) => part.trim())
    while (isProxy(nearest)) {
      const next = forwarded.pop()
      if (next === undefined || isIP(plainAddress(next)) === 0) break
      nearest = plainAddress(next)
    }
    return nearest
  }
}
