/**
 * Tests the access log of a running pod. By default the log contains failed and slow requests, and at debug level every
 * request. The log contains no id of a record and no secret.
 */
import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "@effect/sql"
import { Effect, Layer, LogLevel } from "effect"
import { get, type IncomingMessage, type ServerResponse } from "node:http"
import { afterEach } from "vitest"
import { EntityStore } from "../../src/features/entities/EntityStore.ts"
import * as Logging from "../../src/platform/Logging.ts"
import { accessLog } from "../../src/surfaces/AccessLog.ts"
import { aMoment } from "../support/aMoment.ts"
import { aLog, type LogLine } from "../support/logs.ts"
import { aPod, type PodHooks, type TestPod } from "../support/pod.ts"
import { assertNoSecrets } from "./edges.ts"
import { anEvent } from "./trpcFixture.ts"

let pod: TestPod
afterEach(async () => {
  await pod?.stop()
})

const requestsIn = (lines: ReadonlyArray<LogLine>) => lines.filter(({ message }) => message === "request")

const aLoggedPod = async (level: LogLevel.LogLevel, hooks: PodHooks = {}) => {
  const log = aLog(level)
  pod = await aPod({ kind: "memory" }, {}, { ...hooks, logging: log.layer })
  return log
}

const listingEnds = (ending: Effect.Effect<never>) =>
  Layer.effect(
    EntityStore,
    Effect.map(EntityStore, (store) => ({ ...store, list: () => ending }))
  )

describe("the access log at the default level", () => {
  it("at the default log level, the access log has no line about a request that succeeds or gets a 4xx answer", async () => {
    const log = await aLoggedPod(LogLevel.Info)
    await pod.owner.send("GET", "/api/hub/users/me")
    await pod.stranger.send("GET", "/api/hub/users/me")
    await pod.owner.send("GET", "/api/hub/entities/x")
    await pod.stop()
    assert.deepStrictEqual(requestsIn(log.lines), [])
  })

  it("the access log has a warning for a failed request, and the warning contains the request id that the client knows", async () => {
    const log = await aLoggedPod(LogLevel.Info, { adapters: listingEnds(Effect.die("gone")) })
    const key = await pod.aKey(pod.owner)
    await key.send("GET", "/api/hub/entities?q=private", undefined, { "x-request-id": "mine" })
    await pod.stop()
    const [{ fields, level }, ...others] = requestsIn(log.lines)
    assert.lengthOf(others, 0)
    assert.strictEqual(level, "warn")
    const { durationMs, ...rest } = fields
    assert.isAtLeast(durationMs as number, 0)
    assert.deepStrictEqual(rest, {
      requestId: "mine",
      method: "GET",
      route: "/api/hub/entities",
      status: 500,
      credentialId: key.id
    })
    assertNoSecrets(log, [key.secret, "private"])
  })
})

describe("the access log while the pod answers with 503", () => {
  const isWithout = listingEnds(Effect.die(new SqlError.SqlError({ cause: new Error("gone"), message: "gone" })))
  const linesOf = async (level: "info" | "debug") => {
    const lines: Array<string> = []
    pod = await aPod(
      { kind: "memory" },
      {},
      { adapters: isWithout, logging: Logging.layer(level, "json", (text) => lines.push(text)) }
    )
    const key = await pod.aKey(pod.owner)
    for (let count = 0; count < 20; count++) {
      assert.strictEqual((await key.send("GET", "/api/hub/entities")).status, 503)
    }
    await pod.stop()
    return lines.map((line) => JSON.parse(line)).filter(({ msg, status }) => msg === "request" && status === 503)
  }

  it("if many requests to one route are answered with 503, the log has one line with the failure, and then one line with the number of repetitions", async () => {
    const lines = await linesOf("info")
    assert.deepStrictEqual(
      lines.map(({ level, repeats, route }) => ({ level, repeats, route })),
      [
        { level: "warn", repeats: undefined, route: "/api/hub/entities" },
        { level: "warn", repeats: 19, route: "/api/hub/entities" }
      ]
    )
    assert.isString(lines[0].failure)
    assert.notProperty(lines[0], "requestId")
  })

  it("at debug level the log has a separate line with the request id for each request that is answered with 503", async () => {
    const lines = await linesOf("debug")
    const single = lines.filter(({ level }) => level === "debug")
    assert.lengthOf(new Set(single.map(({ requestId }) => requestId)), 20)
  })
})

describe("the access log at debug level", () => {
  it("the debug log shows every request with its route template, and contains no id, query or body", async () => {
    const log = await aLoggedPod(LogLevel.Debug)
    const key = await pod.aKey(pod.owner)
    const { id } = (await key.send("POST", "/api/hub/entities", { title: "hidden title" })).body
    await key.send("GET", `/api/hub/entities/${id}?userId=hidden-query`)
    await key.send("DELETE", `/api/hub-protocol/entities/${id}`)
    await key.send("PUT", "/api/hub/knowledge/hidden-key", { value: 1 })
    await key.send("GET", "/api/hub/trpc/svc.me,no.hidden-name,health.alive?batch=1")
    await key.send("GET", "/api/hub/hidden-route")
    await pod.stranger.send("GET", "/hidden-page")
    await pod.stop()
    const seen = requestsIn(log.lines)
      .slice(-7)
      .map(({ fields }) => `${fields["method"]} ${fields["route"]} ${fields["status"]}`)
    assert.deepStrictEqual(seen, [
      "POST /api/hub/entities 200",
      "GET /api/hub/entities/:id 200",
      "DELETE /api/hub/entities/:id 200",
      "PUT /api/hub/knowledge/:key 200",
      "GET /api/hub/trpc/svc.me,health.alive 207",
      "GET none 404",
      "GET none 404"
    ])
    assert.strictEqual(requestsIn(log.lines).at(-2)?.fields["credentialId"], key.id)
    assert.isUndefined(requestsIn(log.lines).at(-1)?.fields["credentialId"])
    assert.notMatch(JSON.stringify(log.lines), /hidden/)
    assertNoSecrets(log, [id, key.secret])
  })

  it("if a client leaves before it gets the answer, the access log records the request with the status 499", async () => {
    const asked = anEvent()
    const waiting = Effect.zipRight(
      Effect.sync(() => asked.happen()),
      Effect.never
    )
    const log = await aLoggedPod(LogLevel.Debug, { adapters: listingEnds(waiting) })
    const leaving = get(`${pod.baseUrl}/api/hub/entities`, { headers: pod.owner.headers, agent: false })
    leaving.on("error", () => {})
    await asked.happened
    leaving.destroy()
    const isNoted = () => requestsIn(log.lines).some(({ fields }) => fields["status"] === 499)
    // The server notices only a moment later that the client has left.
    while (!isNoted()) await aMoment()
  })
})

describe("the access log of slow requests", () => {
  const finishedAfter = (durationMs: number, contentType: string, writableFinished: boolean) => {
    const log = aLog()
    const finished = Effect.runSync(Effect.provide(accessLog, log.layer))
    const response = { statusCode: 200, headersSent: true, writableFinished, getHeader: () => contentType }
    finished(
      {
        request: { method: "GET" } as IncomingMessage,
        response: response as unknown as ServerResponse,
        path: "/raw/id",
        search: "",
        requestId: "r",
        presented: { kind: "none" },
        client: { address: "", userAgent: undefined },
        stopping: new AbortController().signal,
        note: { route: "/raw/:id", credentialId: undefined }
      },
      durationMs
    )
    return log.lines.map(({ level }) => level)
  }

  it("the access log has a warning for a request that takes more than a second, but not for a long event stream that the client closed", () => {
    assert.deepStrictEqual(finishedAfter(1_001, "application/json", true), ["warn"])
    assert.deepStrictEqual(finishedAfter(1_001, "text/event-stream", true), ["warn"])
    assert.deepStrictEqual(finishedAfter(999, "application/json", true), [])
    assert.deepStrictEqual(finishedAfter(100_000, "text/event-stream", false), [])
  })
})
