/** The few pages and documents that are no operation: the API description, its reading page, the setup page. */
import type { Exchange } from "./Exchange.ts"
import { sendJson } from "./Exchange.ts"
import type { Mount } from "./Server.ts"

export const servePages = (_publicUrl: string | undefined): ReadonlyArray<Mount> => [
  {
    at: "/.well-known",
    handle: (exchange: Exchange) => sendJson(exchange, 404, { error: "There is nothing here." })
  }
]
