/**
 * Calls a pod over its admin socket to make the sample data. The caller is the operator of the data directory, or sends
 * a key.
 */
import { request } from "node:http"
import type { SampleCaller } from "../shared/SampleCalls.ts"

const answerTimeoutMs = 30_000 // milliseconds; the longest wait for one answer

/** The answer of the pod to one call. */
export interface SampleAnswer {
  readonly status: number
  readonly text: string
}

/** Returns the parsed JSON of an answer. Throws if the pod refused the call. */
export const contentOf = (method: string, path: string, { status, text }: SampleAnswer): unknown => {
  if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

const send = (
  socketPath: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined
): Promise<SampleAnswer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const sent = request(
      { socketPath, method, path, headers: { ...headers, ...length }, timeout: answerTimeoutMs },
      (answer) => {
        const parts: Array<Buffer> = []
        answer.on("data", (part: Buffer) => parts.push(part))
        answer.once("error", reject)
        answer.once("end", () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") })
        )
      }
    )
    sent.once("timeout", () => sent.destroy(new Error("the pod does not answer")))
    sent.once("error", reject)
    sent.end(body)
  })

export const socketCaller =
  (socketPath: string): SampleCaller =>
  async (method, path, body, key) => {
    const headers = {
      host: "localhost",
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
    }
    const text = body === undefined ? undefined : JSON.stringify(body)
    return contentOf(method, path, await send(socketPath, method, path, headers, text))
  }
