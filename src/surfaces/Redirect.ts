/** Redirects other paths of a page to the page, such as the paths of earlier pages to the screens of the console. */
import type { Exchange } from "./Exchange.ts"
import { isRead, notAllowed } from "./PageFile.ts"

/**
 * Answers with status 308, which redirects to a path of this pod, such as `/admin/setup`. The location is relative,
 * because a proxy can serve the pod below any path. The location has no fragment, so the browser keeps the fragment of
 * the requested address. `at` is the path of the request, from which the location leads up to the top level.
 */
export const redirectFrom = (exchange: Exchange, at: string, to: string): void => {
  if (!isRead(exchange)) return notAllowed(exchange)
  const toTop = "../".repeat(at.split("/").length - 2) || "./"
  const location = `${toTop}${to.slice(1)}`
  exchange.response.writeHead(308, { location, "cache-control": "no-cache", "content-length": 0 })
  exchange.response.end()
}
