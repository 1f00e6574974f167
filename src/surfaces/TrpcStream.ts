/**
 * Sends the answer to a tRPC batch as JSON lines. The pod sends each result as soon as its call has finished
 * (`httpBatchStreamLink`).
 */
import type { ServerResponse } from "node:http"
import type { SerializedOutcome } from "./TrpcError.ts"

/**
 * Returns the first line of the answer to a batch. The line announces every call as a pending value. The chunk id of a
 * call is its index.
 */
const headLine = (count: number): string => {
  const entries = Array.from({ length: count }, (_, index) => `"${index}":[[0],[null,0,${index}]]`)
  return `{${entries.join(",")}}\n`
}

/**
 * Returns the lines of one finished call. Each line has the form `[chunk id, 0 = fulfilled, value]`. A success needs
 * three lines, as in tRPC 11. The first line announces `result`, the second line announces `data`, and the third line
 * contains the data. `next` returns an unused chunk id.
 */
const linesOf = (index: number, settled: SerializedOutcome, next: () => number): string => {
  if (!settled.ok) return `[${index},0,[[{"error":${settled.error}}]]]\n`
  const result = next()
  const data = next()
  return (
    `[${index},0,[[{"result":0}],["result",0,${result}]]]\n` +
    `[${result},0,[[{"data":0${settled.cursor}}],["data",0,${data}]]]\n` +
    `[${data},0,[[${settled.data ?? ""}]]]\n`
  )
}

export const canReceive = (response: ServerResponse): boolean => !response.destroyed && !response.writableEnded

/**
 * Sends one line that announces all calls of a batch, and then each result when its call has ended. Resolves when all
 * calls have ended, and never rejects.
 */
export const streamBatch = async (
  response: ServerResponse,
  calls: ReadonlyArray<Promise<SerializedOutcome>>
): Promise<void> => {
  let chunks = calls.length
  const next = () => chunks++
  response.statusCode = 200
  response.setHeader("content-type", "application/json")
  response.write(headLine(calls.length))
  await Promise.all(
    calls.map(async (call, index) => {
      const settled = await call
      if (canReceive(response)) response.write(linesOf(index, settled, next))
    })
  )
  if (canReceive(response)) response.end()
}
