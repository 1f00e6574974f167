/**
 * Stops the built pod while 32 clients send requests without a pause over open connections. The pod must answer every
 * request that was sent.
 */
import { assert, describe, it } from "@effect/vitest"
import { Agent, request } from "node:http"
import { aFolder, startPod } from "../support/builtPod.ts"

const clients = 32

interface Ended {
  readonly answered: number
  /** The error code of the failed request, such as `ECONNREFUSED`. */
  readonly code: string
  /** Whether the failed request used a connection over which an earlier request was answered. */
  readonly wasReused: boolean
  readonly isAskedToLeave: boolean
}

/** Repeats a request until it fails. The client uses one connection for as long as the server keeps it open. */
const askUntilItFails = async (url: string, begun: () => void): Promise<Ended> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let [answered, isAskedToLeave] = [0, false]
  for (;;) {
    const ended = await new Promise<Pick<Ended, "code" | "wasReused"> | undefined>((resolve) => {
      const asking = request(url, { agent }, (answer) => {
        if (answer.headers.connection === "close") isAskedToLeave = true
        answer.resume()
        answer.once("end", () => resolve(undefined))
        answer.once("error", (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? "", wasReused: true }))
      })
      asking.once("error", (error: NodeJS.ErrnoException) =>
        resolve({ code: error.code ?? "", wasReused: asking.reusedSocket })
      )
      asking.end()
    })
    if (ended !== undefined) {
      agent.destroy()
      return { answered, isAskedToLeave, ...ended }
    }
    answered += 1
    begun()
  }
}

describe("stopping a pod without losing requests", () => {
  it("while a pod under full load stops, none of its 32 clients loses a request, and the pod refuses only new connections", async () => {
    const folder = aFolder()
    const pod = await startPod({ dataDir: folder.path, environment: { POD_STOP_GRACE: "1s" } })
    let running: ReadonlyArray<Promise<Ended>> = []
    await new Promise<void>((flows) => {
      let answers = 0
      running = Array.from({ length: clients }, () =>
        askUntilItFails(`${pod.baseUrl}/api/hub/health`, () => {
          answers += 1
          if (answers === clients * 10) flows()
        })
      )
    })
    const ended = await pod.terminate()
    const outcomes = await Promise.all(running)
    folder.remove()
    assert.deepStrictEqual(ended, { code: 0, signal: null })
    assert.deepStrictEqual([...new Set(outcomes.map(({ code }) => code))], ["ECONNREFUSED"])
    assert.deepStrictEqual(
      outcomes.filter(({ isAskedToLeave, wasReused }) => wasReused || !isAskedToLeave),
      []
    )
  })

  it("while the pod stops, it still answers requests, and its readiness check says that it is not ready", async () => {
    const folder = aFolder()
    const pod = await startPod({ dataDir: folder.path, environment: { POD_STOP_GRACE: "2s" } })
    const ended = pod.terminate()
    // The pod receives the signal a moment later, so this repeats the request until `/readyz` answers 503.
    const notReady = async (): Promise<string> => {
      const answer = await fetch(`${pod.baseUrl}/readyz`)
      return answer.status === 503 ? answer.text() : notReady()
    }
    assert.include(await notReady(), "stopping")
    assert.strictEqual((await fetch(`${pod.baseUrl}/api/hub/health`)).status, 200)
    assert.deepStrictEqual(await ended, { code: 0, signal: null })
    folder.remove()
  })
})
