/**
 * Tells the command `pod doctor` about a proxy. The command calls the pod from outside. The answer of the pod says what
 * the pod knows about a proxy between the command and the pod.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { trustedProxyCheck } from "./Origins.ts"

/** `pod doctor` sends this header with this value to ask for the report. */
export const askProxy = ["x-pod-doctor", "proxy"] as const

/**
 * This header says whether the pod used `X-Forwarded-For`. `none`: the request has no `X-Forwarded-For`. `ignored`: the
 * request came from an address that is not in POD_TRUST_PROXY. `trusted`: the pod read the address of the client from
 * `X-Forwarded-For`, and the header that `clientHeader` names shows this address.
 */
export const forwardingHeader = "x-pod-forwarding"
export const clientHeader = "x-pod-client"
/** This header has the value of POD_PUBLIC_URL. It is absent if the setting is not set. */
export const publicUrlHeader = "x-pod-public-url"

export interface ProxySettings {
  readonly publicUrl: string | undefined
  readonly trustProxy: ReadonlyArray<string>
}

/**
 * Adds the report headers to the answer of a request that asks for them. The headers never contain the address of the
 * proxy itself.
 */
export const proxyReport = ({ publicUrl, trustProxy }: ProxySettings) => {
  const isTrusted = trustedProxyCheck(trustProxy)
  const [question, expectedValue] = askProxy
  return (request: IncomingMessage, response: ServerResponse, client: string): void => {
    if (request.headers[question] !== expectedValue) return
    const isForwarded = request.headers["x-forwarded-for"] !== undefined
    const state = isForwarded ? (isTrusted(request) ? "trusted" : "ignored") : "none"
    response.setHeader(forwardingHeader, state)
    if (state === "trusted") response.setHeader(clientHeader, client)
    if (publicUrl !== undefined) response.setHeader(publicUrlHeader, publicUrl)
  }
}
