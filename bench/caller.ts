/**
 * Fills a new pod with the data that the requests of a benchmark need: a caller with keys, workspaces, and a few
 * records.
 */
import { Connections } from "./load.ts"

// The caller has this number of workspaces, in addition to the caller's own space.
const workspaces = 3
const scopes = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write", "chat.stream"]

const text = "Call back, agree on the next step and write down who does what until when. ".repeat(4)

/**
 * One record of each type, about as large as an entity. A benchmark compares the routes of these types with the routes
 * of entities.
 */
const furniture = {
  tracks: { name: "Roof", description: text, settings: { status: "open", tags: ["alpha", "beta"] } },
  documents: { title: "Harbour", content: text, type: "markdown" },
  views: { name: "Board", type: "kanban", config: { groupBy: "status", text } },
  channels: { title: "Releases", type: "chat" }
}

/**
 * Signs the owner in, and creates workspaces, records and two keys. One key has full access. The other key belongs to
 * an agent whose writes need no approval.
 */
export const aCaller = async (port: number, email: string, password: string) => {
  const connections = new Connections(port)
  await connections.open()
  const post = async (path: string, body: unknown, token?: string) => {
    const headers = { "content-type": "application/json", ...(token === undefined ? {} : { "x-session-token": token }) }
    const { status, body: text } = await connections.ask({ method: "POST", path, headers, body: JSON.stringify(body) })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
    return JSON.parse(text)
  }
  const { token, user } = await post("/auth/sign-in", { email, password })
  const workspaceIds: Array<string> = []
  for (let at = 1; at <= workspaces; at++) {
    const made = await post("/api/hub/workspaces/from-definition", { workspaceName: `Workspace ${at}` }, token)
    workspaceIds.push(made.workspaceId)
  }
  const minted = await post(
    "/trpc/apiKeys.create",
    { keyName: "bench", scope: scopes, grant: { permissions: ["*"] } },
    token
  )
  const agent = await post("/trpc/agents.create", { name: "Scribe", capabilities: ["*"] }, token)
  const agentId = agent.result.data.id as string
  await post("/trpc/agents.update", { agentId, writesRequireProposal: false }, token)
  for (const workspaceId of workspaceIds) {
    await post("/api/hub/workspaces/enroll-agent", { agentUserId: agentId, workspaceId, role: "editor" }, token)
  }
  const agentKey = await post(
    "/trpc/apiKeys.create",
    { keyName: "agent", scope: scopes, grant: { permissions: ["*"] }, agentId },
    token
  )
  const recordIds: Record<string, Array<string>> = {}
  for (const [route, body] of Object.entries(furniture)) {
    recordIds[route] = []
    for (let at = 0; at < 60; at++) {
      const made = await post(`/api/hub/${route}`, { ...body, workspaceId: workspaceIds[at % workspaces] }, token)
      recordIds[route].push(made.id)
    }
  }
  connections.close()
  const keyOf = (answer: { readonly result: { readonly data: { readonly key: string } } }) => answer.result.data.key
  return { personId: user.id as string, workspaceIds, recordIds, key: keyOf(minted), agentKey: keyOf(agentKey) }
}
