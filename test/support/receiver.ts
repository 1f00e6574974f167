/** A receiver of webhooks on 127.0.0.1. It records every call. The test decides how the receiver answers. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { standardTimes } from "../../src/features/webhooks/Delivery.ts"
import { WebhookSettings } from "../../src/features/webhooks/WebhookSettings.ts"

export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // A test reads the expected fields of an untyped body, and asserts on them.
  readonly body: any
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly calls: ReadonlyArray<ReceivedCall>
  /** Waits until `fits` accepts a call, and returns this call. Earlier calls are checked too. */
  readonly until: (fits: (call: ReceivedCall, calls: ReadonlyArray<ReceivedCall>) => boolean) => Promise<ReceivedCall>
  readonly stop: () => Promise<void>
}

type Answering = (response: ServerResponse, call: ReceivedCall, request: IncomingMessage) => void

const accept: Answering = (response) => void response.writeHead(204).end()

export const aReceiver = async (answer: Answering = accept): Promise<Receiver> => {
  const calls: Array<ReceivedCall> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString()
      const call = { headers: request.headers, text, body: JSON.parse(text) }
      calls.push(call)
      answer(response, call, request)
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/in`,
    port,
    calls,
    until: (fits) =>
      new Promise((found) => {
        // Each call is checked only once. With thousands of calls, checking all of them after each new call would delay
        // the answers.
        let looked = 0
        const look = () => {
          while (looked < calls.length) {
            const call = calls[looked++]
            if (!fits(call, calls)) continue
            waiting.delete(look)
            return found(call)
          }
        }
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
  }
}

/** Webhook settings with short times. They also allow receivers on 127.0.0.1. */
export const quickWebhooks = (
  times: Partial<(typeof WebhookSettings.Service)["times"]> = {},
  allowed: ReadonlyArray<string> = ["127.0.0.0/8"]
): typeof WebhookSettings.Service => ({
  ...WebhookSettings.standard(allowed),
  times: { ...standardTimes, lookEvery: "30 millis", schedule: Array.from({ length: 10 }, () => "20 millis"), ...times }
})
