/** The measured scenarios. Each scenario says which request is sent, how often, and how its answer is checked. */
import type { Request } from "./load.ts"
import type { Stand } from "./stand.ts"

export interface Scenario {
  readonly name: string
  readonly title: string
  /** The greatest acceptable ratio of the pod's cost to the cost of the floor (the minimal server for comparison). */
  readonly target: number
  /** The number of requests in each round. */
  readonly count: number
  readonly request: (stand: Stand, index: number) => Request
  /**
   * The second request, if the scenario compares two requests to the pod. If absent, the scenario compares the pod with
   * the floor (the minimal server for comparison).
   */
  readonly against?: (stand: Stand, index: number) => Request
  /**
   * The request for the other server, if that server is another product with an API of its own. In this case the
   * answers are not compared.
   */
  readonly peer?: (stand: Stand, index: number) => Request
  /** Fields that can differ between two correct answers, such as an id or a time that the request creates. */
  readonly ownFields: ReadonlyArray<string>
  /** True if each call appends exactly one event. */
  readonly appends: boolean
}

const hub = "/api/hub"
const withKey = ({ key }: Stand) => ({ authorization: `Bearer ${key}` })
const withBody = (stand: Stand) => ({ ...withKey(stand), "content-type": "application/json" })
const around = <A>(all: ReadonlyArray<A>, index: number): A => all[index % all.length]

const moments = ["timestamp", "lastUsedAt"]
const madeFields = ["id", "createdAt", "updatedAt", "seq", "timestamp", "correlationId"]

const create: Scenario = {
  name: "create",
  title: "create a record, with its event",
  target: 1.4,
  count: 1_000,
  request: (stand, index) => ({
    method: "POST",
    path: `${hub}/entities`,
    headers: withBody(stand),
    body: JSON.stringify({
      profileSlug: "task",
      title: `Task ${index}`,
      description: "Call back, agree on the next step and write down who does what until when.",
      properties: { status: "open", priority: index % 5, tags: ["alpha", "beta"] },
      workspaceId: around(stand.workspaceIds, index)
    })
  }),
  ownFields: madeFields,
  appends: true
}

const creating =
  (keyOf: (stand: Stand) => string): Scenario["request"] =>
  (stand, index) => ({
    ...create.request(stand, index),
    headers: { ...withBody(stand), authorization: `Bearer ${keyOf(stand)}` }
  })

export const scenarios: ReadonlyArray<Scenario> = [
  {
    name: "livez",
    title: "GET /livez, no database",
    target: 2,
    count: 8_000,
    request: () => ({ method: "GET", path: "/livez", headers: {} }),
    ownFields: moments,
    appends: false
  },
  {
    name: "status",
    title: "verify a key (/auth/status)",
    target: 1.25,
    count: 2_000,
    request: (stand) => ({ method: "GET", path: `${hub}/auth/status`, headers: withKey(stand) }),
    ownFields: moments,
    appends: false
  },
  {
    name: "get",
    title: "read one record by key",
    target: 1.1,
    count: 2_000,
    request: (stand, index) => ({
      method: "GET",
      path: `${hub}/entities/${around(stand.entityIds, index)}`,
      headers: withKey(stand)
    }),
    ownFields: [],
    appends: false
  },
  {
    name: "list",
    title: "list 50 records",
    target: 1.15,
    count: 600,
    request: (stand) => ({ method: "GET", path: `${hub}/entities?limit=50`, headers: withKey(stand) }),
    ownFields: [],
    appends: false
  },
  {
    name: "tool",
    title: "one MCP tool call (svc_get_entities, 10)",
    target: 1.4,
    count: 500,
    request: (stand, index) => ({
      method: "POST",
      path: "/mcp",
      headers: {
        ...withBody(stand),
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18"
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: index,
        method: "tools/call",
        params: { name: "svc_get_entities", arguments: { limit: 10 } }
      })
    }),
    ownFields: [],
    appends: false
  },
  {
    name: "event",
    title: "append an event (events.log)",
    target: 1.35,
    count: 1_500,
    request: (stand, index) => ({
      method: "POST",
      path: `${hub}/trpc/events.log`,
      headers: withBody(stand),
      body: JSON.stringify({
        type: "deal.note.added",
        data: { amount: index, currency: "EUR", note: "Called back and agreed on the next step." },
        subjectId: around(stand.entityIds, index),
        workspaceId: around(stand.workspaceIds, index)
      })
    }),
    ownFields: madeFields,
    appends: true
  },
  create,
  {
    ...create,
    name: "governed",
    title: "create by an agent, whose write tries every rung of the gate",
    target: 1.5,
    request: creating(({ agentKey }) => agentKey)
  }
]

const get =
  (path: (stand: Stand, index: number) => string): Scenario["request"] =>
  (stand, index) => ({
    method: "GET",
    path: `${hub}${path(stand, index)}`,
    headers: withKey(stand)
  })

const listed = (route: string): Scenario => ({
  name: `list-${route}`,
  title: `list 50 ${route} : list 50 entities`,
  target: 1.2,
  count: 600,
  request: get(() => `/${route}?limit=50`),
  against: get(() => "/entities?limit=50"),
  ownFields: [],
  appends: false
})

const found = (route: string): Scenario => ({
  name: `get-${route}`,
  title: `read one of ${route} : read one entity`,
  target: 1.2,
  count: 2_000,
  request: get((stand, index) => `/${route}/${around(stand.recordIds[route], index)}`),
  against: get((stand, index) => `/entities/${around(stand.entityIds, index)}`),
  ownFields: [],
  appends: false
})

/** The ten reads that a client makes when it starts. */
const startReads = [
  "agentConfigs.list",
  "capabilities.list",
  "channelGateway.list",
  "files.listBuckets",
  "inbox.stats",
  "mcpServers.list",
  "preferences.get",
  "preferences.getViewModes",
  "widgetDefinitions.list",
  "workspaces.list"
]
const procedures =
  (pathOf: (index: number) => string): Scenario["request"] =>
  (stand, index) => ({ method: "GET", path: `${hub}/trpc/${pathOf(index)}`, headers: withKey(stand) })

/**
 * Scenarios that compare two requests to the pod. For example, one scenario compares a listing of tracks with a listing
 * of entities. Another compares an agent's write, for which the governance gate tries all its rules, with a person's
 * write.
 */
export const comparisons: ReadonlyArray<Scenario> = [
  {
    ...create,
    name: "ladder",
    title: "create up the whole ladder (agent) : create by a person",
    target: 1.3,
    request: creating(({ agentKey }) => agentKey),
    against: creating(({ key }) => key)
  },
  {
    name: "batch",
    title: "a tRPC batch of ten reads : one of them",
    target: 10,
    count: 300,
    request: procedures(() => `${startReads.join(",")}?batch=1`),
    against: procedures((index) => around(startReads, index)),
    ownFields: [],
    appends: false
  },
  ...["tracks", "documents", "views", "channels"].map(listed),
  ...["tracks", "documents", "views"].map(found)
]
