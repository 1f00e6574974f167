/**
 * Makes the sample workspace. Ordinary calls to the pod make it, like the calls of a person and of an agent. The sample
 * also has a key, a webhook, events and proposals.
 */
import { sampleTemplate, sampleType } from "./SampleMark.ts"
import { makeEvents, makeProposals } from "./SampleActivity.ts"
import { field, hub, procedureOf, type SampleCaller, text } from "./SampleCalls.ts"
import { sampleAgent, sampleFacts, sampleKnowledge, sampleName, sampleProjects, sampleTasks } from "./SampleContent.ts"

/**
 * The types of the events that record that a sample was begun, made or removed. Before a pod makes the sample at its
 * start, it looks for these events.
 */
const sampleBegun = "sample.begun"
const sampleMade = "sample.made"
const sampleRemoved = "sample.removed"

export interface SampleReport {
  readonly workspaceId: string
  readonly knowledge: number
  readonly projects: number
  readonly events: number
  readonly facts: number
  readonly proposals: number
}

interface MadeThings {
  readonly agentId: string
  readonly keyId: string
  readonly webhookId: string
  readonly factIds: ReadonlyArray<string>
}

/** Finds the latest event of this type in the log of the owner. Returns undefined if there is none. */
const latest = async (call: SampleCaller, type: string): Promise<unknown> => {
  const input = encodeURIComponent(JSON.stringify({ type, limit: 1 }))
  const found = field(field(await call("GET", `/trpc/events.list?input=${input}`), "result"), "data")
  const [first]: ReadonlyArray<unknown> = Array.isArray(found) ? found : []
  return first
}

/** Finds the records of the existing sample. Returns undefined if there is none, or if it was removed. */
export const findSample = async (call: SampleCaller): Promise<MadeThings | undefined> => {
  const [madeEvent, removed] = [await latest(call, sampleMade), await latest(call, sampleRemoved)]
  if (madeEvent === undefined || (removed !== undefined && text(removed, "id") > text(madeEvent, "id")))
    return undefined
  const data = field(madeEvent, "data")
  const factIds = field(data, "factIds")
  return {
    agentId: text(data, "agentId"),
    keyId: text(data, "keyId"),
    webhookId: text(data, "webhookId"),
    factIds: Array.isArray(factIds) ? factIds.map(String) : []
  }
}

const webhookName = "Warehouse (sample)"
const keyName = `${sampleAgent} (sample)`

const rowsOf = (answer: unknown): ReadonlyArray<unknown> => {
  const rows = Array.isArray(answer) ? answer : field(answer, "items")
  return Array.isArray(rows) ? rows : []
}

/**
 * Lists records with the procedure `procedure`. Returns the ids of the records in which the field `property` equals
 * `name`.
 */
const idsNamed = async (call: SampleCaller, procedure: string, property: string, name: string) => {
  const input = procedure === "agents.list" ? {} : { limit: 200 }
  const answer = await call("GET", `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)
  return rowsOf(field(field(answer, "result"), "data"))
    .filter((row) => field(row, property) === name)
    .map((row) => text(row, "id"))
}

/** Returns true if the latest sample was begun but not finished, for example because its process was killed. */
const isUnfinished = async (call: SampleCaller): Promise<boolean> => {
  const [begun, madeEvent, removed] = [
    await latest(call, sampleBegun),
    await latest(call, sampleMade),
    await latest(call, sampleRemoved)
  ]
  // An id that was made later is greater, so ids show the order of events.
  return (
    begun !== undefined &&
    [madeEvent, removed].every((other) => other === undefined || text(other, "id") < text(begun, "id"))
  )
}

/** Returns true if the pod has a sample, even one that was not finished. */
export const hasSample = async (call: SampleCaller) => Boolean(await findSample(call)) || isUnfinished(call)

/** Removes the caller's sample workspaces one after the other. Returns the number of removed workspaces. */
const removeWorkspaces = async (call: SampleCaller): Promise<number> => {
  const removed = Number(field(await call("POST", `${hub}/setup/sample-removal`, {}), "removed"))
  return removed === 0 ? 0 : removed + (await removeWorkspaces(call))
}

/**
 * Removes the parts of a sample that was not finished. Facts stay, because the pod recognises equal facts when the
 * sample is made again.
 */
const removeUnfinished = async (call: SampleCaller): Promise<void> => {
  const procedure = procedureOf(call)
  await removeWorkspaces(call)
  const webhookIds = await idsNamed(call, "webhooks.list", "name", webhookName)
  for (const id of webhookIds) await procedure("webhooks.delete", { id })
  const keyIds = await idsNamed(call, "apiKeys.list", "keyName", keyName)
  for (const keyId of keyIds) await procedure("apiKeys.revoke", { keyId })
}

/** Returns the id of the agent. An agent cannot be deleted, so the agent of an earlier sample is used again. */
const sampleAgentOf = async (call: SampleCaller): Promise<string> => {
  const procedure = procedureOf(call)
  const [known] = await idsNamed(call, "agents.list", "name", sampleAgent)
  const capabilities = ["*"]
  if (known === undefined) return text(await procedure("agents.create", { name: sampleAgent, capabilities }), "id")
  await procedure("agents.update", { agentId: known, capabilities })
  return known
}

/** Returns true if a sample was ever made in this pod, even if it was removed later. */
export const wasMade = async (call: SampleCaller): Promise<boolean> => (await latest(call, sampleMade)) !== undefined

/**
 * Removes the parts of the sample outside its workspace, such as the webhook and the key. Then removes the workspace
 * with everything in it. Returns whether there was a sample.
 */
export const removeSample = async (call: SampleCaller): Promise<boolean> => {
  const procedure = procedureOf(call)
  const existing = await findSample(call)
  if (existing === undefined && (await isUnfinished(call))) {
    await removeUnfinished(call)
    await procedure("events.log", { type: sampleRemoved, data: {} })
    return true
  }
  const removed = await removeWorkspaces(call)
  if (existing === undefined) return removed > 0
  // Each part is removed on its own, because somebody might have removed some parts already.
  const parts = [
    () => procedure("webhooks.delete", { id: existing.webhookId }),
    () => procedure("apiKeys.revoke", { keyId: existing.keyId }),
    () => procedure("agents.update", { agentId: existing.agentId, capabilities: [] }),
    () => call("POST", `${hub}/memory/forget`, { ids: existing.factIds })
  ]
  for (const part of parts) await part().catch(() => undefined)
  await procedure("events.log", { type: sampleRemoved, data: {} })
  return true
}

/**
 * Makes the sample data. The caller must first check that there is none. If an earlier call was killed in the middle,
 * the parts that it made are removed first, so that nothing exists twice.
 */
export const makeSample = async (call: SampleCaller): Promise<SampleReport> => {
  const procedure = procedureOf(call)
  if (await isUnfinished(call)) await removeUnfinished(call)
  await procedure("events.log", { type: sampleBegun, data: {} })
  const definition = { workspaceName: sampleName, templateId: sampleTemplate, workspaceType: sampleType }
  const workspaceId = text(await call("POST", `${hub}/workspaces/from-definition`, definition), "workspaceId")
  for (const entry of sampleKnowledge) await call("POST", `${hub}/knowledge`, { ...entry, workspaceId })
  const projects: Array<string> = []
  for (const project of sampleProjects)
    projects.push(text(await call("POST", `${hub}/projects`, { ...project, workspaceId }), "id"))
  const tasks: Array<string> = []
  for (const { project, title } of sampleTasks) {
    const task = { title, profileSlug: "task", workspaceId, projectId: projects[project] }
    tasks.push(text(await call("POST", `${hub}/entities`, task), "id"))
  }
  const factIds: Array<string> = []
  for (const fact of sampleFacts) factIds.push(text(await call("POST", `${hub}/memory`, { fact }), "id"))
  const { events, webhookId } = await makeEvents(call, workspaceId, webhookName)
  const agentId = await sampleAgentOf(call)
  await call("POST", `${hub}/workspaces/enroll-agent`, { agentUserId: agentId, workspaceId, role: "editor" })
  const order = {
    keyName,
    scope: ["hub-protocol.read", "hub-protocol.write"],
    grant: { permissions: ["*"], workspaceIds: [workspaceId] },
    agentId
  }
  const minted = await procedure("apiKeys.create", order)
  const proposals = await makeProposals(call, { key: text(minted, "key"), projects, tasks, workspaceId })
  // The proposals of a revoked key can only be rejected, so the key stays until the sample is removed.
  const things: MadeThings = { agentId, keyId: text(minted, "id"), webhookId, factIds }
  await procedure("events.log", { type: sampleMade, data: { workspaceId, ...things } })
  return {
    workspaceId,
    knowledge: sampleKnowledge.length,
    projects: projects.length,
    events,
    facts: sampleFacts.length,
    proposals
  }
}
