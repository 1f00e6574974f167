/** The configuration of a `pg` client whose server is an open PGlite. */
import type { PGlite } from "@electric-sql/pglite"
import { createPgConfig } from "@electric-sql/pglite/node-postgres"

const byteOf = (letter: string): number => letter.charCodeAt(0)

/**
 * The messages of the PostgreSQL protocol after which the server answers: Simple Query, Sync and Function Call. The
 * server then answers all messages so far and is ready for the next messages.
 */
export const answeredMessages: ReadonlySet<number> = new Set([byteOf("Q"), byteOf("S"), byteOf("F")])

/** The part of an engine that the adapter uses. */
export type EngineMessages = Pick<PGlite, "waitReady" | "execProtocolStream">

type Answers = ReturnType<PGlite["execProtocolStream"]>

/**
 * Makes a client configuration that collects all messages of a statement in a buffer and passes them to the engine in
 * one call. The adapter of PGlite passes one message at a time, and five calls take a third more time than one
 * (measured). `embeddedConfig.test.ts` compares the results with those of that adapter. Remove the buffer when the
 * adapter passes all messages of a statement in one call. The client calls `ended` when the connection ends.
 */
export const embeddedConfig = (lite: EngineMessages, ended: () => void = () => {}) => {
  let waiting: Array<Uint8Array> = []
  const execProtocolStream: PGlite["execProtocolStream"] = (message, options): Answers => {
    waiting.push(message)
    if (!answeredMessages.has(message[0])) return Promise.resolve([])
    const messages = Buffer.concat(waiting)
    waiting = []
    return lite.execProtocolStream(messages, options)
  }
  const messages: EngineMessages = { waitReady: lite.waitReady, execProtocolStream }
  // The library uses only these two members of the engine.
  const config = createPgConfig(messages as PGlite)
  const { connection } = config
  const end = connection.end.bind(connection)
  connection.end = () => {
    ended()
    end()
    // The adapter removes all error listeners. Without a new listener, a failure that arrives later would end the
    // process.
    connection.on("error", () => {})
  }
  return config
}
