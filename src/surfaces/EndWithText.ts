/** Ends a response with a text in one write to its connection. */
import type { ServerResponse } from "node:http"

/**
 * Ends a response whose headers are set, `content-length` included. The headers and the text go out as one part.
 * `response.end(text)` sends an empty second part, and two parts take a slower way through node, which is 2 of 19 µs of
 * a request without any work (measured with Node 20.20). This can go when `end` sends one part.
 */
export const endWithText = (response: ServerResponse, text: string): void => {
  const { socket } = response
  socket?.cork() // without this, `write` would wait for the next turn, and `end` would find the text unsent
  response.write(text)
  socket?.uncork()
  response.end()
}
