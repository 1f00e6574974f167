/**
 * The official tRPC client calls the procedures that give facts about the pod. The tests use the published types of the
 * procedures. The tests also use all four HTTP links of the client (a link is the part of a tRPC client that sends
 * requests).
 */
import { assert, describe, it } from "@effect/vitest"
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError
} from "@trpc/client"
import { EventSource } from "eventsource"
import type { AppRouter } from "pod/app-router"
import { afterAll, beforeAll } from "vitest"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { proceduresFor } from "../support/subscriber.ts"
import { anEvent } from "./trpcFixture.ts"

const links = { httpLink, httpBatchLink, httpBatchStreamLink }
type LinkName = keyof typeof links

let pod: TestPod
let key: Caller
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
  key = await pod.aKey(pod.owner)
})
afterAll(() => pod.stop())

const clientOf = (name: LinkName, { headers }: Caller) => {
  const url = pod.baseUrl + proceduresFor(headers)
  let requests = 0
  /** Counts the requests. The client calls this function for the headers of each request. */
  const counted = () => {
    requests++
    return headers
  }
  const link = links[name]<AppRouter>
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: {
            fetch: (asked, init) => fetch(asked, { ...init, headers: new Headers({ ...init.headers, ...headers }) })
          }
        }),
        false: link({ url, headers: counted })
      })
    ]
  })
  return { client, requests: () => requests }
}
type Client = ReturnType<typeof clientOf>["client"]

const ten = (client: Client) =>
  Promise.all([
    client.agentConfigs.list.query(),
    client.capabilities.list.query(),
    client.channelGateway.list.query(),
    client.files.listBuckets.query(),
    client.inbox.stats.query(),
    client.intelligence.listRegisteredServices.query(),
    client.mcpServers.list.query(),
    client.preferences.getViewModes.query(),
    client.system.getDataPodStats.query(),
    client.widgetDefinitions.list.query()
  ])

for (const name of Object.keys(links) as ReadonlyArray<LinkName>) {
  describe(`the procedures about a pod in a client with ${name}`, () => {
    it("ten calls at the same moment get ten answers of the published types, and a client that batches sends them in one HTTP request", async () => {
      for (const caller of [pod.owner, key]) {
        const { client, requests } = clientOf(name, caller)
        const [agents, { core, plugins }, [inPod], { buckets }, { unread }, services, [server], modes, stats, widgets] =
          await ten(client)
        assert.deepStrictEqual([agents, plugins, services], [[], [], []])
        assert.includeMembers([...core.features], ["entities", "preferences"])
        assert.strictEqual(inPod?.type, "in_pod")
        assert.lengthOf(buckets, 2)
        assert.strictEqual(unread, 0)
        assert.match(server?.url ?? "", /\/mcp$/)
        assert.deepStrictEqual(modes, { entities: "grid", documents: "grid", views: "grid" })
        assert.strictEqual(stats.entities, 0)
        assert.include(
          widgets.map(({ kind }) => kind),
          "table"
        )
        assert.strictEqual(requests(), name === "httpLink" ? 10 : 1)
      }
    })

    it("if one call of a batch is refused, the other calls of the batch still get their answers", async () => {
      const person = await pod.aPerson()
      const { client } = clientOf(name, person)
      const [stats, rebuilt, set] = await Promise.allSettled([
        client.system.getDataPodStats.query(),
        client.typesense.initializeCollections.mutate(),
        client.preferences.set.mutate({ theme: "dark" })
      ])
      assert.strictEqual(stats.status, "fulfilled")
      assert.deepInclude(set.status === "fulfilled" ? set.value : set, { theme: "dark" })
      assert.strictEqual(rebuilt.status, "rejected")
      const error: unknown = rebuilt.status === "rejected" ? rebuilt.reason : undefined
      assert.instanceOf(error, TRPCClientError)
      assert.strictEqual(error.data?.["reason"], "ADMINISTRATOR_ONLY")
    })
  })
}

describe("the procedures about a pod in a client with httpSubscriptionLink", () => {
  it("the dashboard counts an open event stream only for the person who opened it, and an event about a changed preference does not contain the new value", async () => {
    const person = await pod.aPerson()
    const { client } = clientOf("httpBatchLink", person)
    const opened = anEvent()
    const seen = anEvent<unknown>()
    const stream = client.events.stream.subscribe(
      {},
      {
        onStarted: () => opened.happen(),
        onData: ({ data }) => {
          if (data.type === "preference.update") seen.happen(data.data)
        },
        onError: (cause) => seen.happen(cause)
      }
    )
    await opened.happened
    const { connections } = await client.system.getDashboardMetrics.query()
    assert.deepStrictEqual(connections, { activeSSEClients: 1, activeHandlers: 1 })
    const other = await pod.owner.query("system.getDashboardMetrics")
    assert.deepStrictEqual(other.body.result.data.connections, { activeSSEClients: 0, activeHandlers: 1 })
    await client.preferences.set.mutate({ uiPreferences: { secret: "mine" } })
    assert.deepStrictEqual(await seen.happened, { fields: ["uiPreferences"] })
    stream.unsubscribe()
  })
})
