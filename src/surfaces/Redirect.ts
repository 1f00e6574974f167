/** Paths of earlier pages lead to the screens of the console. */
import type { Exchange } from "./Exchange.ts"
import { isRead, notAllowed } from "./PageFile.ts"

/**
 * Answers with 308 to a path of this pod. The address is relative, so that a proxy may serve the pod below any path, and
 * has no fragment, so that the browser keeps the one that it has. `to` is a path such as `/admin/setup`, and `exchange`
 * one of the top level.
 */
export const redirectFromTop = (exchange: Exchange, to: string): void => {
  if (!isRead(exchange)) return notAllowed(exchange)
  exchange.response.writeHead(308, { location: `.${to}`, "cache-control": "no-cache", "content-length": 0 })
  exchange.response.end()
}
