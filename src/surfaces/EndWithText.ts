/** Ends a response with a text in one write to its connection. */
import type { ServerResponse } from "node:http"

/**
 * Ends a response whose headers, also `content-length`, are set. The headers and the text are sent as one part.
 * `response.end(text)` sends an empty second part, and two parts take a slower way through node. This takes 2 of the 19
 * µs of a request without any work (measured with Node 20.20). Remove this function when `end` sends one part.
 */
export const endWithText = (response: ServerResponse, text: string): void => {
  const { socket } = response
  socket?.cork() // otherwise `write` waits for the next turn of the event loop, and `end` finds the text unsent
  response.write(text)
  socket?.uncork()
  response.end()
}
