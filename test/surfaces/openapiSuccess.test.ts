/**
 * Calls the operations of the API description with the described input. Each call must succeed, and its answer must fit
 * the description.
 */
import { HttpApi } from "@effect/platform"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import fc from "fast-check"
import { HubApi } from "../../src/HubApi.ts"
import { aModelStub, type ModelStub, replies } from "../support/modelStub.ts"
import { sessionScopes } from "../../src/doors/Scope.ts"
import { type Answer, aPod, type Caller, ownerEmail, ownerPassword, type TestPod } from "../support/pod.ts"
import { setRole } from "../support/membership.ts"
import { brokenPromises, exampleOf, mediaOf, operationNamed, operations } from "./promises.ts"
import { aMoment } from "../support/aMoment.ts"

/** The smallest possible picture: one transparent pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

type Fields = Readonly<Record<string, unknown>>
/** The ids and slugs of existing records, by a short name for each record. */
type There = Readonly<Record<string, string>>
type Params = Readonly<Record<string, string | number>>

let pod: TestPod
let stub: ModelStub
let key: Caller
let agent: Caller
let count = 0

beforeAll(async () => {
  stub = await aModelStub()
  // The answer of the model is JSON, which an analysis parses. All other operations use it as plain text.
  stub.reply(replies.saying(JSON.stringify({ tags: ["crane"], tasks: [] })))
  pod = await aPod(
    { kind: "memory" },
    { languageModelUrl: Option.some(stub.url), languageModelName: Option.some("small"), webhookAllow: ["127.0.0.1"] }
  )
  key = await pod.aKey(pod.owner, { scope: sessionScopes })
})
afterAll(async () => {
  await pod?.stop()
  await stub?.stop()
})

const ok = (name: string, { body, status }: Answer) => {
  assert.strictEqual(status, 200, `${name}: ${JSON.stringify(body)}`)
  return body
}

const aPost = (there: There) => ({
  userId: pod.ownerId,
  workspaceId: there["workspace"],
  content: "The quay is wet.",
  proactiveType: "nudge"
})

/**
 * Request bodies by operation. They cannot be examples in the API description, because they refer to records that must
 * exist, or need names that are new.
 */
const bodies = (there: There): Readonly<Record<string, unknown>> => ({
  "auth.signIn": { email: ownerEmail, password: ownerPassword },
  "knowledge.create": { key: `key-${(count += 1)}`, value: { nested: [1, null] } },
  "profiles.create": { slug: `recipe-${(count += 1)}`, displayName: "Recipe" },
  "entities.upsert": { title: `Quay ${(count += 1)}` },
  "profiles.update": { displayName: "Another name" },
  "propertyDefs.create": { profileId: there["profile"], slug: `due-${(count += 1)}`, valueType: "date" },
  "propertyDefs.update": { uiHints: { wide: true } },
  "relationDefs.create": { slug: `owns-${(count += 1)}`, displayName: "Owns" },
  "relationDefs.update": { displayName: "Holds" },
  "relations.create": {
    sourceEntityId: there["entity"],
    targetEntityId: there["doomed"],
    type: `knows-${(count += 1)}`
  },
  "memory.search": { userId: pod.ownerId, embedding: Array.from({ length: 1536 }, (_, at) => at) },
  "pod.adopt": { workspaceId: there["workspace"], templateSlug: "customer-relations" },
  "proactive.post": aPost(there),
  "projects.create": { name: `Harbour ${(count += 1)}` },
  "projects.update": { description: "Wet." },
  "projects.file": { entityIds: [there["entity"]] },
  "facets.put": { slug: there["role"] },
  "attachments.create": { data: pixel, fileName: "pixel.png" },
  "tracks.create": { name: "Roof" },
  "tracks.update": { status: "paused" },
  "views.update": { name: "Another" },
  "skills.update": { isActive: false },
  "brands.create": { name: `Acme ${(count += 1)}`, isDefault: false, tokens: {} },
  "brands.update": { name: "Another" },
  "connectors.create": { name: "Tracker", kind: "tracker", baseUrl: stub.url },
  "connectors.update": { name: "Another" },
  "providers.create": { name: "Local", url: stub.url, model: "small" },
  "providers.update": { name: "Another" },
  "setup.agent": { agentType: "research" },
  "setup.service": { workspaceId: there["workspace"] },
  "commands.update": { description: "Every Monday." },
  "documents.propose": { ...(exampleOf("documents.propose") as object), documentId: there["document"] },
  "artifacts.create": {
    workspaceId: there["workspace"],
    userId: pod.ownerId,
    kind: "url",
    title: "A page",
    refId: "https://example.com/page"
  },
  "workspaces.enrollAgent": { agentUserId: there["agent"], workspaceId: there["workspace"] },
  "workspaces.provisionAgent": { agentUserId: there["agent"] },
  "people.update": { isSuspended: true },
  "people.changePassword": { currentPassword: ownerPassword, newPassword: "another correct horse battery" },
  "invitations.create": { note: "For a colleague" },
  "proposals.edit": { data: { title: "Edited" } },
  "proposals.file": {
    targetType: "entity",
    targetId: there["entity"],
    proposalType: "update",
    data: { title: "Filed by hand" }
  }
})

/** Returns a body that fits the declaration of a REST operation. */
const sampleBody = (name: string): unknown => {
  let payload: Option.Option<Schema.Schema.All> = Option.none()
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.name === name) payload = endpoint.payloadSchema
    }
  })
  // The schemas of an endpoint need no services, but the type of the endpoint cannot say this.
  const schema = Option.getOrThrow(payload) as unknown as Schema.Schema<unknown>
  const [value] = fc.sample(Arbitrary.make(schema), { numRuns: 1, seed: 7 })
  return Schema.encodeSync(schema)(value)
}

/** Returns the example in the API description. If there is none, returns a random body that the schema accepts. */
const bodyOf = (name: string): unknown =>
  mediaOf(name) === undefined || mediaOf(name)?.example !== undefined ? exampleOf(name) : sampleBody(name)

const make = async (name: string, there: There, by: Caller = key, more: Fields = {}) => {
  const { method, path } = operationNamed(name)
  const body = bodies(there)[name] ?? bodyOf(name)
  return ok(name, await by.send(method, path, { ...(body as object), ...more }))
}

/** Creates one record of each type that an operation can need. Returns the ids by name. */
const aScene = async () => {
  const made = ok("agents.create", await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] }))
  agent = await pod.aKey(pod.owner, { agentId: made.result.data.id })
  const there: Record<string, string> = { agent: made.result.data.id }
  there["workspace"] = (await make("workspaces.fromDefinition", there)).workspaceId
  there["profile"] = (await make("profiles.create", there)).id
  there["entity"] = (await make("entities.create", there)).id
  there["doomed"] = (await make("entities.create", there)).id
  const role = { slug: "reader", displayName: "Reader", profileKind: "role", applicableKinds: ["note"] }
  there["role"] = (await make("profiles.create", there, key, role)).slug
  there["document"] = (await make("documents.create", there, key, { content: "The quay is wet." })).id
  await make("brands.create", there)
  return there
}

const proposed = async (there: There, isApproved: boolean) => {
  const change = { title: `Better ${(count += 1)}` }
  const asked = ok("a proposal", await agent.send("PATCH", `/api/hub/entities/${there["entity"]}`, change))
  if (isApproved) {
    ok("approve", await pod.owner.send("POST", `/api/hub/proposals/${asked.proposalId}/approve`, {}))
  }
  return asked as { readonly proposalId: string; readonly decisionId: string }
}

/** Sends a proactive post, and waits until the person has a notification of it. */
const aNotification = async (there: There): Promise<string> => {
  ok("a post", await key.send("POST", "/api/hub/proactive/post", aPost(there)))
  for (;;) {
    const [first] = ok("notifications", await pod.owner.send("GET", "/api/hub/notifications?unread=true"))
    if (first !== undefined) return first.id
    await aMoment()
  }
}

/** Adds another person to the workspace. */
const aMember = async (there: There): Promise<string> => {
  const { id } = await pod.aPerson(`member-${(count += 1)}@example.com`)
  await setRole(pod, { kind: "memory" }, id, there["workspace"], "viewer")
  return id
}

/** Returns the values of the path parameters. The default is the id of a new record of the operation's group. */
const paramsFor = async (name: string, there: There): Promise<Params> => {
  const [group] = name.split(".")
  const entity = { id: there["entity"] }
  switch (group) {
    case "workspaces":
    case "governance":
      return { workspaceId: there["workspace"], ...(name.endsWith("Member") ? { userId: await aMember(there) } : {}) }
    case "knowledge":
      return { key: (await make("knowledge.create", there)).key }
    case "users":
      return { userId: pod.ownerId }
    case "facets":
      if (name === "facets.delete")
        await key.send("POST", `/api/hub/entities/${entity.id}/facets`, { slug: there["role"] })
      return { ...entity, slug: there["role"] }
    case "attachments": {
      const path = `/api/hub/entities/${entity.id}/attachments`
      const made = ok(name, await key.send("POST", path, bodies(there)["attachments.create"]))
      return { ...entity, attachmentId: made.id }
    }
    case "proposals":
      return { id: (await proposed(there, name === "proposals.revert")).proposalId }
    case "invitations":
      return { id: (await make("invitations.create", there, pod.owner)).invitation.id }
    case "people":
      return { id: (await pod.aPerson(`person${(count += 1)}@example.com`)).id }
    case "decisions":
      return { id: (await proposed(there, false)).decisionId }
    case "messaging":
      return { id: (await make("channels.create", there)).id }
    case "graph":
      return { type: "entity", ...entity }
    case "resolve":
      return entity
    case "openai":
      return { name: "svc/auto" }
    case "rules":
      return { id: (await make("rules.create", there)).ruleId }
    case "memory":
      return { id: (await make("memory.create", there)).id }
    case "externalSkills":
      return { id: (await make("skills.create", there, key, { parameters: {} })).id }
    case "calendar":
      return { file: (await make("calendar.rotate", there, pod.owner)).url.split("/").at(-1) }
    default:
      break
  }
  if (name === "webhooks.deliveries") {
    const draft = { name: "Deploys", url: "https://hooks.example.com/in", eventTypes: ["*"] }
    return { id: ok(name, await key.mutate("webhooks.create", draft)).result.data.subscription.id }
  }
  if (name === "notifications.read" || name === "notifications.dismiss") return { id: await aNotification(there) }
  if (name === "subscriptions.fanout") {
    const logged = await key.mutate("events.log", { type: "test.happened", data: {} })
    return { eventId: ok(name, logged).result.data.id }
  }
  if (name === "entities.listOfUser") return { userId: pod.ownerId }
  if (name === "relations.connections") return entity
  if (name.startsWith("documents.")) return { id: (await make("documents.create", there)).id, revision: 1 }
  if (name === "projects.unfile") {
    const { id } = await make("projects.create", there)
    ok(name, await key.send("POST", `/api/hub/projects/${id}/entities`, bodies(there)["projects.file"]))
    return { id, entityId: there["entity"] }
  }
  return { id: (await make(`${group}.create`, there)).id }
}

/** Returns the query strings of operations that require one. */
const queries = (there: There): Readonly<Record<string, string>> => ({
  "focusSessions.list": `?workspaceId=${there["workspace"]}`,
  "projection.read": `?workspace=${there["workspace"]}`,
  "retrieval.listKnowledge": "?q=rope",
  "graph.traverse": `?startEntityId=${there["entity"]}`,
  "resolve.name": "?kind=entity&name=Harbour",
  "memory.recall": "?q=rope",
  "memory.delete": `?userId=${pod.ownerId}`,
  "discovery.discover": `?userId=${pod.ownerId}`
})

/**
 * Operations that cannot succeed in this pod, because the pod has an owner, and has no failed provisioning, no valid
 * link for setups or invitations, and no token issuer. Other tests call these operations on their own pods.
 */
const testedElsewhere = new Set([
  "setup.claim",
  "setup.checkLink",
  "setup.firstAdmin",
  "setup.magicLink",
  "setup.agentPending",
  "setup.approveIssuer",
  "setup.rejectIssuer",
  "workspaces.retryProvisioning",
  "setup.checkInvite",
  "setup.acceptInvite",
  "invitations.accept",
  "federation.oidcConfig",
  // Only the operator may call this operation and the next operation, over the socket of the data directory.
  "people.resetOwnerPassword",
  "backups.create",
  "samples.deliver", // The webhook of this operation must have no delivery, and the event must be in a sample.
  "samples.remove" // This operation removes rows of a database, but this pod stores everything in memory.
])

describe("the operations of the API description", () => {
  it("every operation of the API description, except those that other tests call, succeeds if the client sends an input as described", async () => {
    const there = await aScene()
    const { token } = ok(
      "auth.signIn",
      await pod.stranger.send("POST", "/auth/sign-in", { email: ownerEmail, password: ownerPassword })
    )
    const setter = await pod.aKey(pod.owner, { scope: ["setup.agent"] })
    const callers: Readonly<Record<string, Caller>> = {
      "auth.signOut": pod.as({ "x-session-token": token }),
      "setup.agent": setter,
      "setup.service": setter,
      "people.update": pod.owner,
      "setup.namePod": pod.owner,
      "people.rename": await pod.aPerson("renamed@example.com"),
      "people.changePassword": await pod.aPerson("changes@example.com"),
      "invitations.create": pod.owner,
      "invitations.withdraw": pod.owner,
      "proposals.file": agent,
      "proposals.askToAct": agent,
      "decisions.get": agent
    }
    const { method, path } = operationNamed("workspaces.setPublicProjection")
    const open = path.replace("{workspaceId}", there["workspace"])
    ok("public", await pod.owner.send(method, open, exampleOf("workspaces.setPublicProjection")))
    const broken: Array<string> = []
    for (const { method, operation, path } of operations) {
      const name = operation.operationId
      if (testedElsewhere.has(name)) continue
      const params: Params = path.includes("{") ? await paramsFor(name, there) : {}
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
        const value = params[parameter]
        if (value === undefined) throw new Error(`${name}: this test needs a ${parameter} to call it with`)
        return encodeURIComponent(String(value))
      })
      const body = method === "GET" ? undefined : (bodies(there)[name] ?? bodyOf(name))
      const answer = await (callers[name] ?? key).send(method, filled + (queries(there)[name] ?? ""), body)
      const found = answer.status === 200 ? brokenPromises(name, answer) : [`answered ${answer.status}`]
      broken.push(...found.map((fault) => `${name}: ${fault} ${JSON.stringify(answer.body).slice(0, 300)}`))
    }
    assert.deepStrictEqual(broken, [])
  })
})
