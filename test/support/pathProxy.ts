/** A reverse proxy that serves a pod below a path. An operator can configure a proxy in the same way. */
import { createServer, type IncomingHttpHeaders, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"

export interface PathProxy {
  /** The address under which the proxy serves the pod. It ends with the path. */
  readonly url: string
  readonly stop: () => void
}

interface PathProxyOptions {
  /** Returns the headers that the pod gets in place of the headers of the request. */
  readonly forward?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
  /** True if the proxy forwards a path of the pod. Default: it forwards every path. */
  readonly passes?: (path: string) => boolean
}

/** Starts a proxy in front of a pod, below a path such as `/team`. The pod gets the path without this beginning. */
export const aPathProxy = async (
  target: { readonly baseUrl: string },
  below: string,
  { forward = (headers) => headers, passes = () => true }: PathProxyOptions = {}
): Promise<PathProxy> => {
  const proxy = createServer((request, response) => {
    const path = request.url?.startsWith(below) === true ? request.url.slice(below.length) : undefined
    if (path === undefined || !passes(path)) return void response.writeHead(404).end("nothing here")
    const passed = httpRequest(
      target.baseUrl + path,
      { method: request.method, headers: forward(request.headers) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        response.on("close", () => answer.destroy())
      }
    )
    passed.on("error", () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const { port } = proxy.address() as AddressInfo // the server listens on TCP, so its address has a port
  return {
    url: `http://127.0.0.1:${port}${below}`,
    stop: () => {
      proxy.close()
      proxy.closeAllConnections()
    }
  }
}
