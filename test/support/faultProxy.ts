/** A TCP proxy between a pod and its database. A test can delay, cut, refuse or silence its connections. */
import { createServer, connect } from "node:net"
import type { AddressInfo, Socket } from "node:net"

export interface FaultProxy {
  readonly port: number
  /** Changes the URL of a database so that connections go through the proxy. */
  readonly through: (url: string) => string
  /** Delays each chunk towards the pod by this number of milliseconds. */
  readonly delay: (latencyMs: number) => void
  /** Resets every connection. New connections are accepted. */
  readonly cut: () => void
  /** Resets every connection and accepts no new connection, like a port on which no server listens. */
  readonly refuse: () => Promise<void>
  /**
   * Passes no bytes in either direction and reports no error, as if the network route were lost. A client can still
   * open a connection.
   */
  readonly silence: () => void
  /** Silences each connection over which the pod has sent these words, or sends them later. */
  readonly silenceThoseSaying: (words: string) => void
  /**
   * Passes all bytes to the pod, but does not tell the pod that a connection has ended. On a busy machine this can
   * happen for a while.
   */
  readonly withholdEnds: () => void
  /** Ends all faults. Resets silenced connections, because their bytes are lost. */
  readonly heal: () => Promise<void>
  readonly connections: () => number
  /**
   * Returns the first text that the pod has sent over each connection. By the PostgreSQL protocol, this text contains
   * the settings of the connection.
   */
  readonly firstWords: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

// The proxy keeps about this many characters of the text that the pod sends over a connection. The first messages show
// the purpose of the connection.
const rememberedMax = 10_000

interface Line {
  readonly near: Socket
  readonly far: Socket
  isSilenced: boolean
  /** The text that the connection has sent to the database. */
  sentText: string
}

export const aFaultProxy = async (targetUrl: string): Promise<FaultProxy> => {
  const target = new URL(targetUrl)
  const lines = new Set<Line>()
  const everyLine: Array<Line> = []
  let latencyMs = 0
  let isSilent = false
  let silencedWords: string | undefined
  let areEndsWithheld = false

  const accept = (near: Socket) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const line: Line = { near, far, isSilenced: isSilent, sentText: "" }
    lines.add(line)
    everyLine.push(line)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on("error", () => undefined) // The proxy itself resets connections, so these errors are expected.
    }
    near.on("data", (chunk: Buffer) => {
      if (line.sentText.length < rememberedMax) line.sentText += chunk.toString("latin1")
      if (silencedWords !== undefined && line.sentText.includes(silencedWords)) line.isSilenced = true
      if (!line.isSilenced) far.write(chunk)
    })
    far.on("data", (chunk: Buffer) => {
      if (line.isSilenced) return
      if (latencyMs === 0) near.write(chunk)
      else setTimeout(() => near.write(chunk), latencyMs)
    })
    near.on("close", () => {
      lines.delete(line)
      far.destroy()
    })
    far.on("close", () => {
      // If a network route is lost, the pod does not learn that the database has ended a connection.
      if (line.isSilenced || areEndsWithheld) return
      // The delayed chunks must arrive before the end of the connection.
      setTimeout(() => near.destroy(), latencyMs)
    })
  }

  const server = createServer(accept)
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, "127.0.0.1", () => {
        server.off("error", reject)
        resolve()
      })
    })
  await listen(0)
  const { port } = server.address() as AddressInfo

  const reset = (chosen: (line: Line) => boolean) => {
    for (const line of [...lines].filter(chosen)) line.near.resetAndDestroy()
  }
  const stopListening = () =>
    new Promise<void>((resolve) => {
      if (server.listening) server.close(() => resolve())
      else resolve()
    })

  return {
    port,
    through: (url) => {
      const other = new URL(url)
      other.hostname = "127.0.0.1"
      other.port = String(port)
      return other.href
    },
    delay: (ms) => void (latencyMs = ms),
    cut: () => reset(() => true),
    refuse: async () => {
      const stopped = stopListening()
      reset(() => true)
      await stopped
    },
    silence: () => {
      isSilent = true
      for (const line of lines) line.isSilenced = true
    },
    silenceThoseSaying: (words) => {
      silencedWords = words
      for (const line of lines) line.isSilenced ||= line.sentText.includes(words)
    },
    withholdEnds: () => void (areEndsWithheld = true),
    heal: async () => {
      isSilent = false
      silencedWords = undefined
      areEndsWithheld = false
      latencyMs = 0
      reset(({ far, isSilenced }) => isSilenced || far.closed)
      if (!server.listening) await listen(port)
    },
    connections: () => lines.size,
    firstWords: () => everyLine.map(({ sentText }) => sentText),
    close: async () => {
      const stopped = stopListening()
      reset(() => true)
      await stopped
    }
  }
}
