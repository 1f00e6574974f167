/** A TCP proxy whose line can be made slow, cut, refused or silent, to stand between a pod and its database. */
import { createServer, connect } from "node:net"
import type { AddressInfo, Socket } from "node:net"

export interface FaultProxy {
  readonly port: number
  /** The same address, by way of the proxy. */
  readonly through: (url: string) => string
  /** Each chunk towards the pod arrives so much later. */
  readonly delay: (latencyMs: number) => void
  /** Resets every connection there is. New ones are accepted. */
  readonly cut: () => void
  /** Resets every connection and accepts no further one, as when nobody listens. */
  readonly refuse: () => Promise<void>
  /** Nothing passes any more, in either direction, and nobody is told. Connecting succeeds, as behind a lost route. */
  readonly silence: () => void
  /** Silences each connection from the moment it says these words, and those that have said them. */
  readonly silenceThoseSaying: (words: string) => void
  /** Everything passes again. What was silenced is reset: its bytes are lost. */
  readonly heal: () => Promise<void>
  readonly connections: () => number
  /** What each connection there ever was said first; the first message of the protocol names its settings. */
  readonly firstWords: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const rememberedMost = 10_000 // characters; a connection says what it is for in its first messages

interface Line {
  readonly near: Socket
  readonly far: Socket
  isSilenced: boolean
  /** What it said towards the target so far, as far as it is text. */
  said: string
}

export const aFaultProxy = async (targetUrl: string): Promise<FaultProxy> => {
  const target = new URL(targetUrl)
  const lines = new Set<Line>()
  const everyLine: Array<Line> = []
  let latencyMs = 0
  let isSilent = false
  let unspeakable: string | undefined

  const accept = (near: Socket) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const line: Line = { near, far, isSilenced: isSilent, said: "" }
    lines.add(line)
    everyLine.push(line)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on("error", () => undefined) // a reset is what this proxy is for
    }
    near.on("data", (chunk: Buffer) => {
      if (line.said.length < rememberedMost) line.said += chunk.toString("latin1")
      if (unspeakable !== undefined && line.said.includes(unspeakable)) line.isSilenced = true
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
      // Behind a lost route the end of the connection does not arrive either.
      if (line.isSilenced) return
      // The end may not overtake what is still delayed.
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
      unspeakable = words
      for (const line of lines) line.isSilenced ||= line.said.includes(words)
    },
    heal: async () => {
      isSilent = false
      unspeakable = undefined
      latencyMs = 0
      reset(({ isSilenced }) => isSilenced)
      if (!server.listening) await listen(port)
    },
    connections: () => lines.size,
    firstWords: () => everyLine.map(({ said }) => said),
    close: async () => {
      const stopped = stopListening()
      reset(() => true)
      await stopped
    }
  }
}
