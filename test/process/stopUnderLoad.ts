/** Stops the built pod while 32 clients send requests without a pause over open connections. */
import { assert } from "@effect/vitest"
import { Agent, request } from "node:http"
import type { BuiltPod } from "../support/builtPod.ts"
import { ask, createKey, type RequestHeaders, signInOwner } from "../support/client.ts"

const clients = 32

interface Ended {
  readonly answered: number
  /** The error code of the failed request, such as `ECONNREFUSED`. */
  readonly code: string
  /** Whether the failed request used a connection over which an earlier request was answered. */
  readonly wasReused: boolean
  readonly isAskedToLeave: boolean
  /** The ids of the records whose creation was acknowledged. */
  readonly created: ReadonlyArray<string>
}

interface Asked {
  readonly url: string
  /** The headers of a client that creates records. A client without them reads the health of the pod. */
  readonly writer?: RequestHeaders
}

const sentBy = ({ url, writer }: Asked) =>
  writer === undefined
    ? { target: `${url}/api/hub/health`, options: {}, body: undefined }
    : {
        target: `${url}/api/hub/entities`,
        options: { method: "POST", headers: { ...writer, "content-type": "application/json" } },
        body: JSON.stringify({ title: "Written while the pod stops", profileSlug: "note" })
      }

/** Repeats a request until it fails. The client uses one connection for as long as the server keeps it open. */
const askUntilItFails = async (asked: Asked, begun: () => void): Promise<Ended> => {
  const { body, options, target } = sentBy(asked)
  const created: Array<string> = []
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let [answered, isAskedToLeave] = [0, false]
  for (;;) {
    const ended = await new Promise<Pick<Ended, "code" | "wasReused"> | undefined>((resolve) => {
      const asking = request(target, { agent, ...options }, (answer) => {
        if (answer.headers.connection === "close") isAskedToLeave = true
        const parts: Array<Buffer> = []
        answer.on("data", (part: Buffer) => parts.push(part))
        answer.once("end", () => {
          const text = Buffer.concat(parts).toString()
          if (answer.statusCode !== 200) return resolve({ code: `${answer.statusCode} ${text}`, wasReused: true })
          if (asked.writer !== undefined) created.push((JSON.parse(text) as { readonly id: string }).id)
          resolve(undefined)
        })
        answer.once("error", (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? "", wasReused: true }))
      })
      asking.once("error", (error: NodeJS.ErrnoException) =>
        resolve({ code: error.code ?? "", wasReused: asking.reusedSocket })
      )
      asking.end(body)
    })
    if (ended !== undefined) {
      agent.destroy()
      return { answered, isAskedToLeave, created, ...ended }
    }
    answered += 1
    begun()
  }
}

/**
 * Stops the pod under full load: half of the clients read, and half create records. Returns the ids of these records.
 */
export const stopUnderLoad = async (pod: BuiltPod): Promise<ReadonlyArray<string>> => {
  const { headers } = await createKey(pod.baseUrl, await signInOwner(pod.baseUrl))
  let running: ReadonlyArray<Promise<Ended>> = []
  await new Promise<void>((flows) => {
    let answers = 0
    running = Array.from({ length: clients }, (_, at) =>
      askUntilItFails({ url: pod.baseUrl, ...(at % 2 === 0 ? {} : { writer: headers }) }, () => {
        answers += 1
        if (answers === clients * 10) flows()
      })
    )
  })
  const ended = await pod.terminate()
  const outcomes = await Promise.all(running)
  assert.deepStrictEqual(ended, { code: 0, signal: null })
  assert.deepStrictEqual([...new Set(outcomes.map(({ code }) => code))], ["ECONNREFUSED"])
  const lost = outcomes.filter(({ isAskedToLeave, wasReused }) => wasReused || !isAskedToLeave)
  assert.deepStrictEqual(lost, [])
  return outcomes.flatMap(({ created }) => created)
}

const pageMax = 1000 // The largest page of records that a pod gives.

/** Checks in a later pod on the same data that every acknowledged record is stored. */
export const assertStored = async (pod: BuiltPod, ids: ReadonlyArray<string>) => {
  const { headers } = await createKey(pod.baseUrl, await signInOwner(pod.baseUrl))
  assert.isAbove(ids.length, clients)
  const stored = new Set<string>()
  for (let offset = 0; ; offset += pageMax) {
    const path = `/api/hub/entities?profileSlug=note&limit=${pageMax}&offset=${offset}`
    const { body, status } = await ask(pod.baseUrl, "GET", path, headers)
    assert.strictEqual(status, 200)
    for (const { id } of body) stored.add(id)
    if (body.length < pageMax) break
  }
  assert.deepStrictEqual(
    ids.filter((id) => !stored.has(id)),
    []
  )
}

export const noRequestLost =
  "while a pod under full load stops, none of its 32 clients loses a request, new connections are refused, and every acknowledged write is stored"
