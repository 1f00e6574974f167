/**
 * The checks of `pod doctor` for a proxy: whether the pod learns the address of the client, knows its own public
 * address, and serves its pages there.
 */
import { Effect, Either } from "effect"
import { parsedUrl } from "../platform/ParsedUrl.ts"
import { isLoopback } from "../platform/Loopback.ts"
import { askProxy, clientHeader, forwardingHeader, publicUrlHeader } from "../surfaces/ProxyReport.ts"
import { failedCheck, okCheck, type Check, warningCheck } from "./DoctorCheck.ts"
import type { HttpAnswer, CallTarget } from "./HttpCall.ts"

type Call = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>
) => Effect.Effect<Either.Either<HttpAnswer, Error>>

const reportRequest = { [askProxy[0]]: askProxy[1] }
// an address reserved for documentation (RFC 5737), which no client has
const inventedAddress = "192.0.2.77"

const headerOf = (answer: Either.Either<HttpAnswer, Error>, name: string): string | undefined => {
  const value = Either.isRight(answer) ? answer.right.headers[name] : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * Checks how the proxy sets `X-Forwarded-For`. Without this header, every call seems to come from the proxy. If the
 * proxy passes on the header of a caller, the caller can pretend to have any address.
 */
const clientCheck = (plain: Either.Either<HttpAnswer, Error>, invented: typeof plain, url: string): Check => {
  const name = "client address"
  switch (headerOf(plain, forwardingHeader)) {
    case "none":
      return url.startsWith("https:")
        ? warningCheck(
            name,
            "the proxy sends no X-Forwarded-For, so the pod sees the address of the proxy for every caller"
          )
        : okCheck(name, "no proxy forwards the requests")
    case "ignored":
      return failedCheck(
        name,
        "a proxy sends X-Forwarded-For, but the pod does not trust it: add the address of the proxy to POD_TRUST_PROXY"
      )
    case "trusted":
      return headerOf(invented, clientHeader) === inventedAddress
        ? failedCheck(
            name,
            "the proxy passes on X-Forwarded-For from its callers, so they can pretend to have any address: configure the proxy to append its own value or to replace the header"
          )
        : okCheck(name, `comes through: the pod sees ${headerOf(plain, clientHeader) ?? "it"}`)
    default:
      return warningCheck(name, "not checked: the answer has no X-Pod-Forwarding")
  }
}

const sameAddress = (one: string, other: string): boolean => {
  const plain = (text: string) => parsedUrl(text)?.href.replace(/\/+$/, "") ?? text
  return plain(one) === plain(other)
}

const publicCheck = (publicUrl: string | undefined, url: string): Check => {
  const name = "public address"
  const isHere = isLoopback(new URL(url).hostname)
  if (publicUrl === undefined) {
    return isHere
      ? okCheck(name, "POD_PUBLIC_URL is not set: links have the address of this machine")
      : warningCheck(name, `POD_PUBLIC_URL is not set, so links have another address than ${url}`)
  }
  if (sameAddress(publicUrl, url)) return okCheck(name, `POD_PUBLIC_URL is ${publicUrl}`)
  return isHere
    ? okCheck(name, `links have the address ${publicUrl}, which this check did not call`)
    : warningCheck(name, `POD_PUBLIC_URL is ${publicUrl}, so links have another address than ${url}`)
}

/**
 * Loads a page, and a file to which the page has a relative link. The command gets both only if the proxy forwards
 * every request below its public address to the pod.
 */
const pagesCheck = Effect.fnUntraced(function* (call: Call) {
  const page = yield* call("GET", "/docs", { accept: "text/html" })
  const asset = Either.isRight(page) ? /<script[^>]* src="([^"]+)"/.exec(page.right.text)?.[1] : undefined
  const script = asset === undefined ? undefined : yield* call("GET", new URL(asset, "http://pod/docs").pathname)
  return script !== undefined && Either.isRight(script) && script.right.status === 200
    ? okCheck("pages", "/docs and its files come through")
    : failedCheck(
        "pages",
        "/docs does not come through the proxy: configure the proxy to pass on every path below its own"
      )
})

/**
 * Checks the proxy. If the command reaches the pod over the socket of its data directory, returns no checks, because no
 * proxy is between the command and this socket.
 */
export const proxyChecks = ({ socketPath, url }: CallTarget, call: Call) =>
  socketPath !== undefined
    ? Effect.succeed([])
    : Effect.gen(function* () {
        const plain = yield* call("GET", "/livez", reportRequest)
        const invented = yield* call("GET", "/livez", { ...reportRequest, "x-forwarded-for": inventedAddress })
        return [
          clientCheck(plain, invented, url),
          publicCheck(headerOf(plain, publicUrlHeader), url),
          yield* pagesCheck(call)
        ]
      })
