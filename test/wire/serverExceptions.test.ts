/** What a client gets if the code that serves its request throws, which is a bug of the pod. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { BodyMemory } from "../../src/surfaces/BodyMemory.ts"
import type { Exchange } from "../../src/surfaces/Exchange.ts"
import { Server } from "../../src/surfaces/Server.ts"
import { exchange } from "../support/exchange.ts"
import { aLog } from "../support/logs.ts"

/** Starts a server whose code for all paths is `rest`, and sends it one request. */
const answerTo = async (path: string, rest: (exchange: Exchange) => boolean) => {
  const log = aLog()
  const scope = Effect.runSync(Scope.make())
  const server = Server.layer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: undefined,
    corsOrigins: [],
    trustProxy: [],
    mounts: [],
    rest,
    unknownPath: ({ response }) => void response.writeHead(404).end(),
    memory: new BodyMemory(),
    addressOf: (port) => `http://127.0.0.1:${port}`,
    adminSocket: undefined,
    stopGraceMs: 0,
    beginSpan: undefined,
    finished: () => {}
  })
  const context = await Effect.runPromise(Layer.buildWithScope(Layer.provideMerge(server, log.layer), scope))
  try {
    return { log, ...(await exchange(`http://127.0.0.1:${Context.get(context, Server).port}${path}`, "GET", {})) }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const throws = (): never => {
  throw new Error("relation secret_table does not exist")
}

describe("a request whose code throws", () => {
  it("if the code that serves a request throws, the client gets 500 in the error form of its API, without the text of the error, and the log has an entry", async () => {
    const hub = await answerTo("/api/hub/entities", throws)
    assert.deepInclude(JSON.parse(hub.text), { error: "ServerError", code: "INTERNAL_SERVER_ERROR" })
    const openAi = await answerTo("/v1/models", throws)
    const { error } = JSON.parse(openAi.text)
    assert.deepInclude(error, { type: "server_error", code: "internal_error", param: null })
    for (const { log, status, text } of [hub, openAi]) {
      assert.strictEqual(status, 500)
      assert.notInclude(text, "secret_table")
      assert.isTrue(log.lines.some(({ message }) => message === "call failed"))
    }
  })

  it("if the code that serves a request throws after the answer has begun, the pod ends the connection, so that the client does not wait", async () => {
    const begun = answerTo("/begun", ({ response }) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("first words")
      return throws()
    })
    const ended = await begun.then(
      () => "an answer",
      () => "an end"
    )
    assert.strictEqual(ended, "an end")
  })
})
