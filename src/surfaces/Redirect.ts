/** Redirects the paths of earlier pages to the screens of the console. */
import type { Exchange } from "./Exchange.ts"
import { isRead, notAllowed } from "./PageFile.ts"

/**
 * Answers with status 308, which redirects to a path of this pod, such as `/admin/setup`. The location is relative,
 * because a proxy can serve the pod below any path. The location has no fragment, so the browser keeps the fragment of
 * the requested address. The path of the request must be at the top level.
 */
export const redirectFromTop = (exchange: Exchange, to: string): void => {
  if (!isRead(exchange)) return notAllowed(exchange)
  exchange.response.writeHead(308, { location: `.${to}`, "cache-control": "no-cache", "content-length": 0 })
  exchange.response.end()
}
