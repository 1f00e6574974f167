/** The pages of docs/ over HTTP, and the two texts for programs that read. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { aPod, type TestPod } from "../support/pod.ts"

const fullBytesMax = 60_000 // what fits beside a question in the context of a small model

describe("the pages of docs/", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  const read = (path: string) => pod.stranger.send("GET", path)

  it("a path that is no page is answered like any unknown path", async () => {
    for (const path of [
      "/docs/guides/absent.md",
      "/docs/guides/..%2f..%2fpackage.json",
      "/docs/guides",
      "/llms.txt/more"
    ]) {
      assert.strictEqual((await read(path)).status, 404, path)
    }
  })

  it("a page cannot be written", async () => {
    assert.strictEqual((await pod.stranger.send("POST", "/llms.txt", {})).status, 405)
  })

  it("/llms.txt lists pages that all exist", async () => {
    const { body, headers } = await read("/llms.txt")
    assert.match(headers.get("content-type") ?? "", /^text\/plain/)
    const paths = [...String(body).matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, path]) => path)
    assert.isAbove(paths.length, 10)
    for (const path of paths) {
      const page = await read(`/${path}`)
      assert.strictEqual(page.status, 200, path)
      assert.match(page.headers.get("content-type") ?? "", /^text\/markdown/)
      assert.match(String(page.body), /^# /)
    }
  })

  it("/llms-full.txt holds the README and the guides, and fits into 60 kB", async () => {
    const { body } = await read("/llms-full.txt")
    assert.match(String(body), /^# Pod\n/)
    assert.include(String(body), "# The gate and proposals")
    assert.isAtMost(Buffer.byteLength(String(body)), fullBytesMax)
  })
})
