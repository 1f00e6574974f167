/**
 * Makes two pods with the same people, spaces, records and callers. One of the pods also gets hidden records, which no
 * caller may notice.
 */
import { openingScopes, type Caller, type Storage, type TestPod } from "../support/pod.ts"
import { aColleague } from "../support/membership.ts"
import { exampleOf } from "../surfaces/promises.ts"
import { expectOk, type RecordPlace, populate } from "./population.ts"
import { aTwin, type Twin } from "./twins.ts"

type Somebody = Caller & { readonly id: string }

/** A person who makes records: a session, a key with full access, and an agent that may propose everything. */
export interface Actors {
  readonly session: Somebody
  readonly key: Caller
  readonly agent: Caller
  readonly agentId: string
}

const castOf = async (pod: TestPod, session: Somebody): Promise<Actors> => {
  const made = await session.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })
  const agentId = expectOk(made, "agents.create").result.data.id as string
  const scope = openingScopes
  const [key, agent] = [await pod.aKey(session, { scope }), await pod.aKey(session, { scope, agentId })]
  return { session, key, agent, agentId }
}

export interface FilledTwin extends Twin {
  readonly person: Actors
  /** A colleague who is a member of the shared workspace and of no other workspace. */
  readonly other: Actors
  /** The names of the REST operations that made records. */
  readonly made: ReadonlySet<string>
}

/**
 * Makes a workspace of the person, named `label/workspaces`, and makes the person's agent a member of the workspace.
 */
export const openWorkspace = async (twin: Twin, label: string, { key, session, agentId }: Actors): Promise<string> => {
  const workspaceId = await twin.pod.aWorkspace(session, `word ${label}`)
  twin.ids.set(`${label}/workspaces`, workspaceId)
  const enrolment = { agentUserId: agentId, workspaceId, role: "editor" }
  expectOk(await key.send("POST", "/api/hub/workspaces/enroll-agent", enrolment), "workspaces.enrollAgent")
  return workspaceId
}

/** Makes one record of every type in the person's own space (null) or in a workspace. */
export const fill = (
  twin: Twin,
  label: string,
  by: Actors,
  { isFirst = true, kind, workspaceId }: Pick<RecordPlace, "workspaceId" | "kind"> & Partial<RecordPlace>
) => populate(twin, { label, ...by, workspaceId, kind, isFirst })

/** Makes narrow and wide keys of the person and of the person's agent, and a caller without a credential. */
const giveKeys = async (twin: Twin, { agentId, session, key, agent }: Actors, workspaceId: string) => {
  const orders: Readonly<Record<string, object>> = {
    "a key for notes": { grant: { permissions: ["entity.note.read"] } },
    "a key for reading in one workspace": { grant: { permissions: ["*"], workspaceIds: [workspaceId] } },
    "a key bound to one workspace": { workspaceId },
    "a key for one object": { grant: { permissions: ["*"], entityIds: [twin.ids.get("seen/entities")] } },
    "an agent's key for notes": { agentId, grant: { permissions: ["entity.note.read", "proposal.read"] } }
  }
  for (const [name, order] of Object.entries(orders)) {
    const made = await twin.pod.aKey(session, { scope: openingScopes, keyName: name, ...order })
    twin.callers.set(name, made)
    twin.ids.set("seen/keys", made.id)
  }
  twin.callers.set("the person", session)
  twin.callers.set("the person's key", key)
  twin.callers.set("their agent", agent)
  twin.callers.set("the pod's owner", twin.pod.owner)
  twin.callers.set("nobody", twin.pod.stranger)
}

export const callerNames = {
  everybody: [
    "the person",
    "the person's key",
    "their agent",
    "a key for notes",
    "a key for reading in one workspace",
    "a key bound to one workspace",
    "a key for one object",
    "an agent's key for notes",
    "the pod's owner",
    "nobody"
  ],
  someOfEach: ["the person", "their agent", "a key bound to one workspace", "the pod's owner", "nobody"],
  narrow: [
    "a key for notes",
    "a key for reading in one workspace",
    "a key bound to one workspace",
    "a key for one object",
    "an agent's key for notes",
    "nobody"
  ],
  byKind: ["a key for notes", "a key for one object", "an agent's key for notes", "nobody"],
  notesAlone: ["a key for notes", "an agent's key for notes"],
  oneWorkspace: ["a key for reading in one workspace", "a key bound to one workspace", "nobody"],
  oneObject: ["a key for one object", "nobody"]
} as const

/**
 * Makes the records that both pods have. The records in the shared workspace have the label `seen`, and the records in
 * the person's own space have the label `home`.
 */
export const aFilledTwin = async (pod: TestPod, storage: Storage): Promise<FilledTwin> => {
  const twin = aTwin(pod)
  const person = await castOf(pod, await pod.aPerson("someone@example.com"))
  const workspaceId = await openWorkspace(twin, "seen", person)
  await openWorkspace(twin, "apart", person)
  const other = await castOf(pod, await aColleague(pod, storage, workspaceId, "editor", "another"))
  const made = await fill(twin, "seen", person, { workspaceId, kind: "note" })
  await fill(twin, "home", person, { workspaceId: null, kind: "note" })
  const target = `/api/hub/workspaces/${workspaceId}`
  const example = exampleOf("workspaces.setPublicProjection") as object
  const projection = { ...example, roles: ["role-seen"], fields: ["title", "email"] }
  expectOk(await person.key.send("PATCH", `${target}/public-projection`, projection), "workspaces.setPublicProjection")
  for (const [label, { agentId, session }] of [
    ["seen", person],
    ["beside", other]
  ] as const) {
    twin.ids.set(`${label}/users`, session.id)
    twin.ids.set(`${label}/agents`, agentId)
  }
  await giveKeys(twin, person, workspaceId)
  return { ...twin, person, other, made }
}
