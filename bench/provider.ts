/**
 * Runs a language model for the chat benchmark: an OpenAI-compatible service in a separate process. It streams words as
 * fast as the client reads them.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const pieces = Number(process.env["PROVIDER_PIECES"] ?? "60")

const eventOf = (value: object) => `data: ${JSON.stringify(value)}\n\n`
/** Makes an event of the stream. It also has the fields that real services send and that a client does not need. */
const pieceOf = (content: string, finish: string | null = null) =>
  eventOf({
    id: "chatcmpl-0123456789abcdef01234567",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "small",
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: finish }]
  })
const usage = { prompt_tokens: 100, completion_tokens: pieces, total_tokens: 100 + pieces }
const end = `${pieceOf("", "stop")}${eventOf({ choices: [], usage })}data: [DONE]\n\n`

const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    let sent = 0
    // The service writes each chunk separately, because a real model also makes one word after another.
    const next = () => {
      if (response.destroyed) return
      if (sent === pieces) {
        response.end(end)
        return
      }
      response.write(pieceOf(sent === 0 ? "Some" : ` word${sent}`))
      sent += 1
      setImmediate(next)
    }
    next()
  })
})

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ msg: "ready", port })}\n`)
})
process.once("SIGTERM", () => process.exit(0))
