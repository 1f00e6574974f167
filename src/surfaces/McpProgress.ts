/** Sends progress notifications while an MCP tool runs. */
import type { ServerContext } from "@modelcontextprotocol/server"

// the milliseconds between two notifications
export const progressEveryMs = 5_000

/**
 * If the client asked for progress, tells the client regularly that its call still runs. Many clients give up a call
 * after a minute without a message. Returns the function that stops the notifications.
 */
export const reportProgress = ({ _meta, notify }: ServerContext["mcpReq"], everyMs: number): (() => void) => {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => {}
  let progress = 0
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message: "The call is still running." }
    // If the client has disconnected, the notification fails, and then the notifications stop. Other code cancels the
    // call.
    notify({ method: "notifications/progress", params }).catch(() => clearInterval(timer))
  }, everyMs)
  return () => clearInterval(timer)
}
