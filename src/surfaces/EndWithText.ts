/** Ends a response with a text, in one write to the connection. */
import type { ServerResponse } from "node:http"

/**
 * Ends a response with a text. The headers must already be set, including `content-length`. The headers and the text go
 * to the connection as one part. `response.end(text)` would send a second, empty part, and Node sends two parts on a
 * slower path. The second part would cost 2 of the 19 µs of a request that does no work (measured with Node 20.20).
 * `endWithText.test.ts` compares what a client gets with `response.end(text)`. Remove this function when `end` sends
 * one part.
 */
export const endWithText = (response: ServerResponse, text: string): void => {
  const { socket } = response
  // Without `cork`, `write` would wait for the next turn of the event loop, and the text would still be unsent when
  // `end` runs.
  socket?.cork()
  response.write(text)
  socket?.uncork()
  response.end()
}
