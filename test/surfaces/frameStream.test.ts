/** If the client of a stream disconnects, the call that writes to the stream must not wait for ever. */
import { assert, it } from "@effect/vitest"
import { Effect, Either, Exit } from "effect"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { noClient } from "../../src/doors/Reach.ts"
import { frameStream } from "../../src/surfaces/FrameStream.ts"

it("when the client of a stream disconnects, a message that waits for the client stops waiting, and later messages do not wait", async () => {
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
    // The client does not read, and the messages are larger than all buffers of the connection. So the call waits, and
    // nothing can interrupt it.
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
          ignored: [],
          proposalId: undefined
        }
        assert.isTrue(stream.finish({ ...outcome, result: Either.right({}) }))
        tell(1)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const reader = request({ host: "127.0.0.1", port, path: "/", method: "POST" }, (answer) => {
    // The client receives the headers of the answer, and then disconnects without reading the body.
    answer.pause()
    reader.destroy()
  })
  reader.on("error", () => {})
  reader.end()
  assert.strictEqual(await sent, 1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
