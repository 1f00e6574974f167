/** A stream of frames whose reader leaves never holds the call that writes it. */
import { assert, it } from "@effect/vitest"
import { Effect, Either, Exit } from "effect"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { noClient } from "../../src/doors/Reach.ts"
import { frameStream } from "../../src/surfaces/FrameStream.ts"

it("when a reader leaves, the stream ends a frame that waits for the reader, and every later frame at once", async () => {
  const text = "x".repeat(64_000)
  let tell = (_ended: number) => {}
  const sent = new Promise<number>((resolve) => {
    tell = resolve
  })
  const server = createServer((incoming, response) => {
    const stream = frameStream(
      {
        request: incoming,
        response,
        path: "/api/external/chat/stream",
        search: "",
        requestId: "test",
        presented: { kind: "none" },
        client: noClient,
        note: { route: "", credentialId: undefined },
        stopping: new AbortController().signal
      },
      { heartbeatMs: 60_000, patienceMs: 60_000 }
    )
    // Far more than a connection takes while nobody reads it, in a call that is not interrupted.
    const all = Effect.forEach(Array.from({ length: 1_000 }), () => stream.frames.send({ content: text }), {
      discard: true
    })
    Effect.runCallback(Effect.uninterruptible(all), {
      onExit: (exit) => {
        assert.isTrue(Exit.isSuccess(exit))
        const outcome = {
          allowance: undefined,
          principal: undefined,
          isReplay: false,
          nextCursor: undefined,
          ignored: []
        }
        assert.isTrue(stream.finish({ ...outcome, result: Either.right({}) }))
        tell(1)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const reader = request({ host: "127.0.0.1", port, path: "/", method: "POST" }, (answer) => {
    // The reader takes the head of the answer and then leaves without reading.
    answer.pause()
    reader.destroy()
  })
  reader.on("error", () => {})
  reader.end()
  assert.strictEqual(await sent, 1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
