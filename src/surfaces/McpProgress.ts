/** Sends progress notifications while a tool of MCP runs. */
import type { ServerContext } from "@modelcontextprotocol/server"

export const progressEveryMs = 5_000 // milliseconds

/**
 * Reports to a client that asked for progress that its call still runs. Many clients end a call that is silent for a
 * minute. Returns the function that stops the reports.
 */
export const reportProgress = ({ _meta, notify }: ServerContext["mcpReq"], everyMs: number): (() => void) => {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => {}
  let progress = 0
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message: "The call is still running." }
    // If the client has disconnected, the report fails and the reports stop. The call itself is cancelled elsewhere.
    notify({ method: "notifications/progress", params }).catch(() => clearInterval(timer))
  }, everyMs)
  return () => clearInterval(timer)
}
