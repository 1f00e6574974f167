/** A stop of the built pod while 32 clients with open connections ask without a pause: every request that was sent is answered. */
import { assert, describe, it } from "@effect/vitest"
import { Agent, request } from "node:http"
import { aFolder, startPod } from "../support/builtPod.ts"

const clients = 32

interface Ended {
  readonly answered: number
  /** The code of the error that ended the client. */
  readonly code: string
  /** Whether the failed request went over a connection that had served another one. */
  readonly wasReused: boolean
  readonly isAskedToLeave: boolean
}

/** Asks until it fails. Each client has one connection, which it keeps as long as the server lets it. */
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

describe("a graceful stop", () => {
  it("32 clients under full load lose no request: the pod asks each to close its connection, and refuses only new connections", async () => {
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

  it("while the pod stops, it answers requests and says that it is not ready", async () => {
    const folder = aFolder()
    const pod = await startPod({ dataDir: folder.path, environment: { POD_STOP_GRACE: "2s" } })
    const ended = pod.terminate()
    // The signal arrives a moment later: asks until the pod says that it stops.
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
