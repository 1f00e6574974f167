/**
 * An OpenAI-compatible service on 127.0.0.1 for tests. A test sets the answers of the service, and reads the requests
 * that the service received.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface AskedModel {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  // A test reads the expected values from an untyped body, and asserts on them.
  readonly body: any
}

/** How the service reacts to one request. */
export type ModelReply = (response: ServerResponse, asked: AskedModel) => void

const sse = { "content-type": "text/event-stream" }
const eventOf = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const deltaOf = (content: string) => eventOf({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ModelReply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  }

export const replies = {
  json,
  /** Answers with this status and with an error in the JSON form of OpenAI-compatible services. */
  refusing: (status: number, error: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    json(status, { error: { message: "no", type: "error", ...error } }, headers),
  /** Answers with a complete stream. Its chunks are cut in the middle of events and characters. */
  saying:
    (text: string, tokens?: number | { prompt: number; completion: number }, finish = "stop"): ModelReply =>
    (response) => {
      const words = text.split(/(?<= )/).map(deltaOf)
      const counted =
        typeof tokens === "object"
          ? {
              prompt_tokens: tokens.prompt,
              completion_tokens: tokens.completion,
              total_tokens: tokens.prompt + tokens.completion
            }
          : { total_tokens: tokens }
      const usage = tokens === undefined ? [] : [eventOf({ choices: [], usage: counted })]
      const end = eventOf({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
      const bytes = Buffer.from([": hello\n\n", ...words, end, ...usage, "data: [DONE]\n\n"].join(""))
      response.writeHead(200, sse)
      for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37))
      response.end()
    },
  /** Accepts the request and never answers. */
  silent: (): void => undefined,
  /** Begins an answer and then sends no more bytes. */
  stalling: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    response.write(deltaOf("It was "))
  },
  /** Closes the connection in the middle of an event. */
  cutting: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    response.write(deltaOf("It was ") + "data: {", () => response.destroy())
  },
  /** Ends the stream without an error, but before the answer is complete. */
  ending: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    response.end(deltaOf("It was "))
  },
  /** Sends an answer that never ends. */
  endless: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    const more = () => {
      while (!response.destroyed && response.write(deltaOf("and so on ".repeat(20))));
    }
    response.on("drain", more)
    more()
  },
  /** Sends only comments of the event stream, which contain no text, and never ends. */
  endlessComments: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    const more = () => {
      while (!response.destroyed && response.write(`: ${"-".repeat(60_000)}\n`));
    }
    response.on("drain", more)
    more()
  },
  garbage: (response: ServerResponse): void => {
    response.writeHead(200, sse)
    response.end("data: <html>hello</html>\n\n")
  },
  /**
   * Answers with the vector that `vectorOf` returns for each text. The order of the vectors differs from the order of
   * the texts.
   */
  vectors:
    (vectorOf: (text: string) => ReadonlyArray<number>): ModelReply =>
    (response, asked) => {
      const texts: ReadonlyArray<string> = asked.body.input
      const data = texts.map((text, index) => ({ index, embedding: vectorOf(text) }))
      json(200, { object: "list", data: data.toReversed(), usage: { total_tokens: texts.length } })(response, asked)
    }
}

export interface ModelStub {
  /** The base URL of the service, for POD_LLM_URL or POD_EMBEDDING_URL. */
  readonly url: string
  /** Sets the replies to the next requests, in their order. The last reply is used for all further requests. */
  readonly reply: (...next: ReadonlyArray<ModelReply>) => void
  /** Returns all requests since the replies were last set. */
  readonly asked: () => ReadonlyArray<AskedModel>
  /** Resolves when the service has received `count` requests since the replies were set. */
  readonly askedTimes: (count: number) => Promise<void>
  /** Resolves when no client has an open connection with an unfinished answer. */
  readonly released: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const aModelStub = async (): Promise<ModelStub> => {
  let queue: ReadonlyArray<ModelReply> = [replies.silent]
  let asked: Array<AskedModel> = []
  const open = new Set<ServerResponse>()
  let waiting: Array<{ readonly isMet: () => boolean; readonly resolve: () => void }> = []
  const tell = () => {
    for (const { isMet, resolve } of waiting) if (isMet()) resolve()
    waiting = waiting.filter(({ isMet }) => !isMet())
  }
  const when = (isMet: () => boolean) =>
    new Promise<void>((resolve) => {
      waiting.push({ isMet, resolve })
      tell()
    })

  const server = createServer((request, response) => {
    open.add(response)
    response.on("close", () => {
      open.delete(response)
      tell()
    })
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8")
      const { headers, method = "", url: path = "" } = request
      const one = { method, path, headers, body: text === "" ? undefined : JSON.parse(text) }
      const [reply = replies.silent, ...later] = queue
      if (later.length > 0) queue = later
      asked.push(one)
      reply(response, one)
      tell()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    reply: (...next) => {
      queue = next
      asked = []
    },
    asked: () => asked,
    askedTimes: (count) => when(() => asked.length >= count),
    released: () => when(() => open.size === 0),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
