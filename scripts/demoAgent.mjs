/**
 * The seventh act of `npm run demo`. An agent uses only MCP tools, and its person decides about the agent's proposals.
 */
import { mcpClient } from "./demoPod.mjs"
import { questions } from "./demoNotes.mjs"

const hub = "/api/hub"

/**
 * Creates an agent that may change notes in a workspace. Also creates a key of this agent that is accepted only on MCP.
 */
const anAgent = async ({ call, me, mint, workspaceId }) => {
  const order = { name: "Apprentice", capabilities: ["entity.note.update"] }
  const { id } = (await call("POST", "/trpc/agents.create", me, order)).body.result.data
  await call("POST", `${hub}/workspaces/enroll-agent`, me, { agentUserId: id, workspaceId, role: "editor" })
  return mint({
    keyName: "Apprentice",
    scope: ["mcp.read", "mcp.write"],
    grant: { permissions: ["*"] },
    agentId: id
  })
}

const findsAndAsks = async ({ report, tool, tools, workspaceId }) => {
  report.check("the agent gets tools", true, tools.length > 0)
  report.check(
    "… and none of them decides on a proposal",
    0,
    tools.filter((name) => /approve|reject/.test(name)).length
  )
  const [{ answer, text: query }] = questions
  const { items, verdict } = await tool("svc_ask", { query, workspaceId, limit: 3 })
  const { items: found } = await tool("svc_find", { query: answer, kind: "note", workspaceId, limit: 3 })
  const note = await tool("svc_get_entity", { entityId: found[0].id, detail: "full" })
  report.step(
    "It asks in plain words, finds the note by its title, and reads it.",
    [
      `svc_ask ${JSON.stringify({ query })}`,
      `svc_find ${JSON.stringify({ query: answer, kind: "note" })}`,
      'svc_get_entity {"entityId":"…","detail":"full"}'
    ],
    [`verdict: ${verdict}, first: ${items[0].title}`, `first: ${found[0].title}`, note.description]
  )
  report.check("both have found the same note", items[0].id, found[0].id)
  report.check("… which answers the question", answer, note.title)
  return note
}

const proposes = async ({ call, decide, me, note, report, tool }) => {
  const title = `${note.title}, and when`
  const reasoning = "The note names the angle too."
  const proposed = await tool("svc_update_entity", { entityId: note.id, title, reasoning })
  const { proposalId } = proposed
  const looked = await tool("svc_wait_for_answer", { proposalId, timeoutSeconds: 0 })
  const unchanged = await tool("svc_get_entity", { entityId: note.id })
  report.step(
    "It wants to change the title. The change becomes a proposal, and nothing is written yet.",
    [
      `svc_update_entity ${JSON.stringify({ title, reasoning })}`,
      'svc_wait_for_answer {"proposalId":"…","timeoutSeconds":0}'
    ],
    [
      `status: ${proposed.status}, proposal ${proposalId}`,
      `answered: ${looked.answered}, status: ${looked.proposal.status}`
    ]
  )
  report.check("the change waits for a person", "proposed", proposed.status)
  report.check("… nobody has decided yet", "false pending", `${looked.answered} ${looked.proposal.status}`)
  report.check("… and the title is as it was", note.title, unchanged.title)

  const waiting = tool("svc_wait_for_answer", { proposalId, timeoutSeconds: 50 })
  const { body: seen } = await call("GET", `${hub}/proposals/${proposalId}`, me)
  await decide(proposalId, "approve", { contentHash: seen.contentHash })
  const waitAnswer = await waiting
  const changed = await tool("svc_get_entity", { entityId: note.id })
  report.step(
    "It waits while its person reads the proposal and approves it. The call of the agent ends at once.",
    ['svc_wait_for_answer {"proposalId":"…","timeoutSeconds":50}', `POST ${hub}/proposals/…/approve`],
    [`answered: ${waitAnswer.answered}, status: ${waitAnswer.proposal.status}`, `title: ${changed.title}`]
  )
  report.check(
    "the agent learns that it was approved",
    "true approved",
    `${waitAnswer.answered} ${waitAnswer.proposal.status}`
  )
  report.check("… and the new title is written", title, changed.title)
}

const isRejected = async ({ decide, note, report, tool }) => {
  const order = { entityId: note.id, description: "In short: too steep, and it falls.", reasoning: "It is shorter." }
  const { proposalId } = await tool("svc_update_entity", order)
  const waiting = tool("svc_wait_for_answer", { proposalId, timeoutSeconds: 50 })
  const reason = "The slot behind the leading edge must stay in it."
  await decide(proposalId, "reject", { reason })
  const { answered, proposal } = await waiting
  const { description } = await tool("svc_get_entity", { entityId: note.id, detail: "full" })
  report.step(
    "Its second proposal is rejected, and the agent learns why.",
    [`svc_update_entity ${JSON.stringify({ description: order.description })}`, `POST ${hub}/proposals/…/reject`],
    [`answered: ${answered}, status: ${proposal.status}`, `reason: ${proposal.reason}`]
  )
  report.check("it learns the reason", `rejected ${reason}`, `${proposal.status} ${proposal.reason}`)
  report.check("… and the note keeps its text", note.description, description)
}

/**
 * Runs this act (part) of the demo. `call` sends a request, `me` contains the person's headers, and `mint` creates a
 * key. `workspaceId` is the workspace with the notes of the third act.
 */
export const agentDemo = async ({ base, call, me, mint, report, workspaceId }) => {
  report.chapter(
    "7. An agent through MCP alone",
    "The key of this agent opens MCP and nothing else. The published client of MCP speaks for it."
  )
  const key = await anAgent({ call, me, mint, workspaceId })
  const client = await mcpClient(base, key.headers)
  const tool = async (name, args) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
    if (isError) throw new Error(`${name} answered ${content[0].text}`)
    return structuredContent
  }
  const decide = (id, verb, body) => call("POST", `${hub}/proposals/${id}/${verb}`, me, body)
  const tools = (await client.listTools()).tools.map(({ name }) => name)
  const note = await findsAndAsks({ report, tool, tools, workspaceId })
  await proposes({ call, decide, me, note, report, tool })
  await isRejected({ decide, note, report, tool })
  const { status } = await call("GET", `${hub}/entities`, key.headers)
  report.check("the same key opens nothing besides MCP", 403, status)
  await client.close()
}
