/** Makes one record of every type in a space, with fixed names, so that two pods can get the same records. */
import { DateTime } from "effect"
import { AutomationRun } from "../../src/features/automations/AutomationRun.ts"
import { aMoment } from "../support/aMoment.ts"
import { keptRecord } from "../support/keptRecord.ts"
import type { Answer, Caller } from "../support/pod.ts"
import { exampleOf, operationNamed } from "../surfaces/promises.ts"
import type { Twin } from "./twins.ts"

/** A very small picture: one transparent pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

type Fields = Readonly<Record<string, unknown>>

/** The person who gets the records, the callers who make the records, and the space that contains the records. */
export interface RecordPlace {
  /** A word in lower case that the names of all these records contain. */
  readonly label: string
  readonly session: Caller & { readonly id: string }
  readonly key: Caller
  /** An agent of the person. The agent's writes in this space become proposals. */
  readonly agent: Caller
  /** The id of the workspace. Null means the person's own space. */
  readonly workspaceId: string | null
  readonly kind: string
  /**
   * True if this is the first set of records in the space. Only the first set has the default brand, because a space
   * has only one default brand.
   */
  readonly isFirst: boolean
}

export const expectOk = ({ body, status }: Answer, what: string) => {
  if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Makes records through the REST operations. Adds the name of each called operation to the set `made`. */
const maker = (twin: Twin, { key, label, session, workspaceId }: RecordPlace, made: Set<string>) => {
  const id = (sort: string) => {
    const found = twin.ids.get(`${label}/${sort}`)
    if (found === undefined) throw new Error(`${label} has none of ${sort} yet`)
    return found
  }
  const note = (sort: string, thing: string) => twin.ids.set(`${label}/${sort}`, thing)
  const send = async (operation: string, fields: Fields, params: Readonly<Record<string, string>> = {}) => {
    const { method, path } = operationNamed(operation)
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name])
    const by = operation === "focusSessions.create" ? session : key
    made.add(operation)
    return expectOk(await by.send(method, target, fields), operation)
  }
  const make = async (operation: string, fields: Fields = {}, sort?: string) => {
    const where = workspaceId === null ? {} : { workspaceId }
    const body = await send(operation, { ...(exampleOf(operation) as Fields), ...where, ...fields })
    note(sort ?? operationNamed(operation).path.split("/").pop()!, body.id)
    return body
  }
  return { id, note, send, make }
}

/**
 * Waits until the log contains the notification of a proposal, because a job writes the notification later. Without
 * this wait, the notification could have different places in the logs of the two pods.
 */
const untilNotified = async (person: Caller, proposalId: string) => {
  for (;;) {
    const listed = await person.send("GET", "/api/hub/events?type=notification.create&limit=20")
    const events = expectOk(listed, "events.list") as ReadonlyArray<{ readonly data: { readonly aboutId?: string } }>
    if (events.some(({ data }) => data.aboutId === proposalId)) return
    await aMoment()
  }
}

/**
 * Makes every record of a place except the entities and profiles. The records `label/entities` and `label/profiles`
 * must exist.
 */
const makeRest = async (twin: Twin, place: RecordPlace, made: Set<string>) => {
  const { agent, isFirst, label, session, workspaceId } = place
  const { id, make, note, send } = maker(twin, place, made)
  const word = `word ${label}`
  await make("propertyDefs.create", { profileId: id("profiles"), slug: `due-${label}`, valueType: "date" })
  await make("relationDefs.create", { slug: `owns-${label}`, displayName: word })
  await make("knowledge.create", { key: `kept-${label}`, value: word })
  note("memory", (await send("memory.create", { fact: `The ${word} is kept.` })).id)
  await make("projects.create", { name: word })
  await send("projects.file", { entityIds: [id("entities")] }, { id: id("projects") })
  await make("documents.create", { title: word, content: word, entityId: id("entities") })
  await make("tracks.create", { name: word, projectId: id("projects") })
  await make("views.create", { name: word, profileId: id("profiles") })
  await make("artifacts.create", { title: word, workspaceId, userId: session.id })
  await make("commands.create", { name: word, triggerSlug: `report-${label}`, sharing: "space" })
  await make("commands.create", { name: `${word} alone`, triggerSlug: `alone-${label}` }, "own-commands")
  await make("brands.create", { name: word, isDefault: isFirst })
  await make("channels.create", { title: word })
  await make("threads.create", { title: word, externalId: label, parentChannelId: id("channels") })
  await make(
    "threads.create",
    { title: `${word} branch`, externalId: `${label} 2`, parentChannelId: id("threads") },
    "branches"
  )
  await send("threads.say", { role: "user", content: word }, { id: id("threads") })
  const ruled = workspaceId === null ? {} : { scope: { kind: "workspace", workspaceId } }
  const example = exampleOf("rules.create") as Fields
  note("rules", (await send("rules.create", { ...example, intent: word, ...ruled })).ruleId)
  if (workspaceId !== null) await make("focusSessions.create", { goal: word, correlationId: label })
  const run = { automationId: null, ruleId: null, eventId: null, status: "failed", output: null, error: word } as const
  const at = { startedAt: DateTime.unsafeMake(0), finishedAt: null }
  await make("skills.create", { name: word, prompt: word, parameters: { type: "object" }, model: null })
  const secret = await session.mutate("secretsVault.create", { name: word, value: word })
  note("secrets", expectOk(secret, "secretsVault.create").result.data.id)
  const connector = { name: word, kind: "tracker", baseUrl: "https://tracker.example" }
  const connected = await session.send("POST", "/api/hub/connectors", connector)
  note("connectors", expectOk(connected, "connectors.create").id)
  made.add("connectors.create")
  const webhook = { name: word, url: "https://receiver.example/hook", eventTypes: ["never.happens"] }
  const followed = await session.mutate("webhooks.create", webhook)
  note("webhooks", expectOk(followed, "webhooks.create").result.data.subscription.id)
  note("runs", await keptRecord(twin.pod, AutomationRun, { ...run, ...at }, session.id, workspaceId ?? session.id))
  const scope = workspaceId === null ? { scopeKind: "pod" } : { scopeKind: "workspace", workspaceId }
  const rule = { ...scope, targetKind: "action", targetPattern: "brand.create", verdict: "propose" }
  const governed = expectOk(await session.mutate("governanceRules.create", rule), "governanceRules.create")
  note("governance-rules", governed.result.data.id)
  const asks = [
    ["proposals", "PATCH", `/api/hub/entities/${id("entities")}`, { title: `${word} proposed` }],
    ["track-proposals", "DELETE", `/api/hub/tracks/${id("tracks")}`, undefined]
  ] as const
  for (const [sort, method, path, body] of asks) {
    const { decisionId, proposalId, status } = expectOk(await agent.send(method, path, body), sort)
    if (status !== "proposed") throw new Error(`${sort}: ${status}`)
    note(sort, proposalId)
    note("decisions", decisionId)
    await untilNotified(session, proposalId)
  }
}

/** Makes the entities of a place (see `RecordPlace`), with their relations, facets and attachments. */
const makeEntities = async (twin: Twin, place: RecordPlace, made: Set<string>) => {
  const { kind: profileSlug, label } = place
  const { id, make, note, send } = maker(twin, place, made)
  const entity = { title: `word ${label}`, profileSlug, properties: { email: `${label}@mail.example` } }
  await make("profiles.create", { slug: `recipe-${label}`, displayName: `word ${label}` })
  const role = { slug: `role-${label}`, displayName: label, profileKind: "role", applicableKinds: [profileSlug] }
  await make("profiles.create", role, "roles")
  await make("entities.create", entity)
  await make("entities.create", { ...entity, title: `word ${label} beside`, properties: {} }, "others")
  const both = { sourceEntityId: id("entities"), targetEntityId: id("others"), type: `knows-${label}` }
  await make("relations.create", both)
  await send("facets.put", { slug: `role-${label}` }, { id: id("entities") })
  const attached = await send("attachments.create", { data: pixel, fileName: `${label}.png` }, { id: id("entities") })
  note("attachments", attached.id)
}

/** Makes one record of every type. Returns the names of the REST operations that made them. */
export const populate = async (twin: Twin, place: RecordPlace): Promise<ReadonlySet<string>> => {
  const made = new Set<string>()
  await makeEntities(twin, place, made)
  await makeRest(twin, place, made)
  return made
}
