/** Tests the lists of the command line that end at a limit, with a server in place of a pod that answers in pages. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"

const home = aFolder()
const webhookId = "0192f3ab-0000-7000-8000-000000000001"
const delivery = (id: number, status: string) => ({ id: `d${id}`, status, eventType: "task.create", attempt: 1 })

/** The pages of deliveries, newest first. Only the second page has deliveries that failed. */
const pages = [
  Array.from({ length: 100 }, (_, at) => delivery(at, "success")),
  [delivery(100, "failed"), delivery(101, "success"), delivery(102, "failed")]
]

let standIn: Server
let pod: ReturnType<typeof aCommandInProcess>

beforeAll(async () => {
  standIn = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    const page = Number(searchParams.get("cursor") ?? 0)
    const isOfWebhooks = pathname.endsWith("webhooks.list")
    const more = page + 1 < pages.length && !isOfWebhooks ? { "x-svc-next-cursor": String(page + 1) } : undefined
    response.writeHead(200, { "content-type": "application/json", ...more })
    const deliveries = pages[page]?.slice(0, Number(searchParams.get("limit")))
    response.end(
      JSON.stringify(
        isOfWebhooks
          ? { result: { data: [{ id: webhookId, name: "slack" }] } }
          : { items: deliveries, proposals: deliveries, entities: deliveries }
      )
    )
  }).listen(0, "127.0.0.1")
  await once(standIn, "listening")
  const { port } = standIn.address() as AddressInfo // the server listens on TCP, so its address has a port
  pod = aCommandInProcess(home.path, { environment: { POD_URL: `http://127.0.0.1:${port}` } })
})
afterAll(() => {
  standIn.close()
  home.remove()
})

const idsOf = ({ stdout }: { readonly stdout: string }): ReadonlyArray<string> =>
  (JSON.parse(stdout) as { data: ReadonlyArray<{ id: string }> }).data.map(({ id }) => id)

describe("lists that end at a limit", () => {
  it("`pod webhooks deliveries --failed` also finds failed deliveries that are older than the first page", async () => {
    const all = await pod(["webhooks", "deliveries", "slack", "--failed", "--json"])
    assert.deepStrictEqual(idsOf(all), ["d100", "d102"], all.stderr)
    const one = await pod(["webhooks", "deliveries", "slack", "--failed", "-n", "1", "--json"])
    assert.deepStrictEqual(idsOf(one), ["d100"], one.stderr)
  })

  it("a list that ends at its limit says that there is more, and a complete list does not", async () => {
    for (const [list, nouns] of [
      [["webhooks", "deliveries", "slack"], "deliveries"],
      [["webhooks", "deliveries", "slack", "--failed", "-n", "1"], "deliveries"],
      [["events", "list"], "events"],
      [["proposals", "list"], "proposals"],
      [["get", "note"], "entities"]
    ] as const) {
      const { code, stderr, stdout } = await pod([...list])
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stderr, `There are more ${nouns}: list more with \`--limit\`.\n`, list.join(" "))
      assert.isNotEmpty(stdout)
      assert.strictEqual((await pod([...list, "--quiet"])).stderr, "")
    }
    assert.strictEqual((await pod(["webhooks", "deliveries", "slack", "--failed"])).stderr, "")
  })
})
