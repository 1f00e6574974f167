/** Tests the function that ends a response with one write. A client gets the same bytes as from `response.end(text)`. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createServer, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { endWithText } from "../../src/surfaces/EndWithText.ts"

const texts = ["", "{}", "ä ö ü € 🙂", "x".repeat(100_000)]
const ends: Readonly<Record<string, (response: ServerResponse, text: string) => void>> = {
  ours: endWithText,
  library: (response, text) => void response.end(text)
}

describe("ending a response with a text", () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer((request, response) => {
      const [, how = "", at = ""] = (request.url ?? "").split("/")
      const text = texts[Number(at)] ?? ""
      response.sendDate = false
      response.writeHead(200, { "content-type": "text/plain", "content-length": Buffer.byteLength(text) })
      ends[how]?.(response, text)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server?.close())

  /** Sends a request for each text, all in one write on one connection. Returns the bytes of all answers. */
  const bytesOf = (how: string, method: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const parts: Array<Buffer> = []
      const socket = connect(port, "127.0.0.1", () => {
        const requests = texts.map((_, at) => {
          const closes = at === texts.length - 1 ? "connection: close\r\n" : ""
          return `${method} /${how}/${at} HTTP/1.1\r\nhost: x\r\n${closes}\r\n`
        })
        socket.write(requests.join(""))
      })
      socket.on("data", (bytes) => parts.push(bytes))
      socket.on("end", () => resolve(Buffer.concat(parts).toString("base64")))
      socket.on("error", reject)
    })

  for (const method of ["GET", "HEAD"]) {
    it(`for a ${method} request, the pod's function that ends a response with a text sends the same bytes as Node's own function \`response.end\``, async () => {
      const bytes = await bytesOf("library", method)
      assert.include(Buffer.from(bytes, "base64").toString(), "200 OK")
      assert.strictEqual(await bytesOf("ours", method), bytes)
    })
  }
})
