/**
 * One real write of each sort that an agent can make with a key, for tests that compare predictions with real
 * decisions.
 */
import type { Subject } from "../../../src/doors/Door.ts"
import type { Answer, Caller } from "../../support/pod.ts"
import { anEntity, type AttackScene, createRecord, assertOk } from "../../attacks/attackScene.ts"

type Write = (by: Caller) => Promise<Answer>

export interface Scene {
  /** The space of the record. Absent if it is the workspace of the test scene. */
  readonly workspaceId?: string
  readonly create?: Write
  readonly update?: Write
  readonly delete?: Write
}

export interface Sort {
  readonly subject: Subject
  readonly profileSlug?: string
  readonly targetType?: string
  /** The operations that create, change and delete a record of this sort. */
  readonly operations?: { readonly create?: string; readonly update?: string; readonly delete?: string }
  readonly scene: (ground: AttackScene) => Promise<Scene>
}

/** Subjects that only signed-in people or people's own keys may write. */
export const notWritableByKeys: ReadonlyArray<Subject> = [
  "agent",
  "apiKey",
  "role",
  "messaging",
  "webhook",
  "notification",
  "vault",
  "connector",
  "provider",
  "calendar",
  "preference"
]

/** Subjects without a write of their own, and subjects whose write is made of writes of other subjects. */
export const notTestedHere: ReadonlyArray<Subject> = ["automation", "memory", "proposal"]

let count = 0
const another = (word: string) => `${word}-${String(++count).padStart(4, "0")}`

/** Describes a sort of record with its own path below `/api/hub`. */
const plain = (
  subject: Subject,
  path: string,
  draft: () => object,
  change: object | null,
  more: Partial<Sort> & { readonly isDeleted?: boolean } = {}
): Sort => ({
  subject,
  operations: { create: `${path.replace(/-./, (found) => found.slice(1).toUpperCase())}.create` },
  ...more,
  scene: async ({ owner, workspaceId }) => {
    const whole = () => ({ ...draft(), workspaceId })
    const { id } = await createRecord(owner, path, whole())
    const at = `/api/hub/${path}/${id}`
    return {
      create: (by) => by.send("POST", `/api/hub/${path}`, whole()),
      ...(change === null ? {} : { update: (by: Caller) => by.send("PATCH", at, change) }),
      ...(more.isDeleted === false ? {} : { delete: (by: Caller) => by.send("DELETE", at) })
    }
  }
})

const entity = (profileSlug: string): Sort =>
  plain("entity", "entities", () => ({ title: another("Plan"), profileSlug }), { preview: "Seen" }, { profileSlug })

const knowledge: Sort = {
  subject: "entity",
  profileSlug: "knowledge",
  operations: { create: "knowledge.create" },
  scene: async ({ agent, owner, workspaceId }) => {
    const at = (key: string) => `/api/hub/knowledge/${key}?workspaceId=${workspaceId}`
    const key = another("kept")
    // The agent creates this entry, because the gate decides differently about an entry that a person wrote.
    const kept = assertOk(await agent.send("PUT", at(key), { value: 1 }))
    if (kept.status === "proposed")
      assertOk(await owner.send("POST", `/api/hub/proposals/${kept.proposalId}/approve`, {}))
    return {
      create: (by) => by.send("PUT", at(another("new")), { value: 1 }),
      update: (by) => by.send("PUT", at(key), { value: 2 }),
      delete: (by) => by.send("DELETE", at(key))
    }
  }
}

const message: Sort = {
  subject: "channel",
  targetType: "message",
  operations: { create: "threads.say" },
  scene: async ({ owner, workspaceId }) => {
    const { id } = await createRecord(owner, "threads", { title: another("Talk"), workspaceId })
    return {
      create: (by) => by.send("POST", `/api/hub/threads/${id}/messages`, { role: "assistant", content: "Hello" })
    }
  }
}

const thread = plain(
  "channel",
  "threads",
  () => ({ title: another("Talk") }),
  { title: "Renamed" },
  {
    targetType: "thread",
    isDeleted: false
  }
)

const event: Sort = {
  subject: "event",
  operations: { create: "events.log" },
  scene: async ({ workspaceId }) => ({
    create: (by) => by.mutate("events.log", { type: "pump.started", data: {}, workspaceId })
  })
}

const relation: Sort = {
  subject: "relation",
  operations: { create: "relations.create" },
  scene: async ({ owner, workspaceId }) => {
    const ends = async () => {
      const [source, target] = [await anEntity(owner, { workspaceId }), await anEntity(owner, { workspaceId })]
      return { sourceEntityId: source.id, targetEntityId: target.id, type: "relates_to", workspaceId }
    }
    const { id } = await createRecord(owner, "relations", await ends())
    const loose = await ends()
    return {
      create: (by) => by.send("POST", "/api/hub/relations", loose),
      delete: (by) => by.send("DELETE", `/api/hub/relations/${id}`)
    }
  }
}

const workspace: Sort = {
  subject: "workspace",
  scene: async ({ workspaceId }) => ({
    update: (by) => by.send("PATCH", `/api/hub/workspaces/${workspaceId}`, { description: another("Ours") })
  })
}

const member: Sort = {
  subject: "member",
  scene: async ({ agentId, owner, pod }) => {
    // The agent asks to join a workspace of which it is not a member.
    const workspaceId = await pod.aWorkspace(owner, another("Fresh"))
    const wish = { agentUserId: agentId, workspaceId }
    return { workspaceId, create: (by) => by.send("POST", "/api/hub/workspaces/enroll-agent", wish) }
  }
}

const propertyDef: Sort = {
  subject: "property_def",
  operations: { create: "propertyDefs.create" },
  scene: async ({ owner, workspaceId }) => {
    const { id: profileId } = await createRecord(owner, "profiles", {
      slug: another("well"),
      displayName: "Well",
      workspaceId
    })
    const draft = () => ({ profileId, slug: another("depth"), valueType: "number", workspaceId })
    const { id } = await createRecord(owner, "property-defs", draft())
    const at = `/api/hub/property-defs/${id}`
    return {
      create: (by) => by.send("POST", "/api/hub/property-defs", draft()),
      update: (by) => by.send("PATCH", at, { displayName: "Deep" }),
      delete: (by) => by.send("DELETE", at)
    }
  }
}

const facet: Sort = {
  subject: "facet",
  scene: async ({ owner, workspaceId }) => {
    const slug = another("role")
    const role = { slug, displayName: "Role", profileKind: "role", applicableKinds: ["note"], workspaceId }
    await createRecord(owner, "profiles", role)
    const [bare, playing] = [await anEntity(owner, { workspaceId }), await anEntity(owner, { workspaceId })]
    assertOk(await owner.send("POST", `/api/hub/entities/${playing.id}/facets`, { slug }))
    return {
      create: (by) => by.send("POST", `/api/hub/entities/${bare.id}/facets`, { slug }),
      delete: (by) => by.send("DELETE", `/api/hub/entities/${playing.id}/facets/${slug}`)
    }
  }
}

const rule: Sort = {
  subject: "rule",
  operations: { create: "rules.create" },
  scene: async ({ workspaceId }) => ({
    create: (by) =>
      by.send("POST", "/api/hub/rules", { intent: another("Keep it short"), scope: { kind: "workspace", workspaceId } })
  })
}

const artifact: Sort = {
  subject: "artifact",
  operations: { create: "artifacts.create" },
  scene: async ({ owner, workspaceId }) => {
    const me = assertOk(await owner.send("GET", "/api/hub/users/me")).id as string
    const draft = () => ({ kind: "document", title: another("Page"), userId: me, workspaceId })
    const { id } = await createRecord(owner, "artifacts", draft())
    return {
      create: (by) => by.send("POST", "/api/hub/artifacts", draft()),
      update: (by) => by.send("PATCH", `/api/hub/artifacts/${id}`, { state: "kept" })
    }
  }
}

const project: Sort = {
  subject: "project",
  operations: { create: "projects.create" },
  scene: async (ground) => {
    const { owner, workspaceId } = ground
    const evidenceEntityIds: Array<string> = []
    for (const _ of "abcde") evidenceEntityIds.push((await anEntity(owner, { workspaceId })).id)
    const draft = () => ({ name: another("Quay"), evidenceEntityIds, forceCreate: true })
    return plain("project", "projects", draft, { name: another("Renamed") }).scene(ground)
  }
}

export const sorts: ReadonlyArray<Sort> = [
  entity("note"),
  entity("task"),
  knowledge,
  message,
  thread,
  event,
  relation,
  workspace,
  member,
  plain("channel", "channels", () => ({ title: another("Hall"), type: "chat" }), { title: "Renamed" }),
  plain("document", "documents", () => ({ title: another("Plan"), content: "x" }), { baseRevision: 1, content: "y" }),
  plain("track", "tracks", () => ({ name: another("Roof") }), { name: "Renamed" }),
  plain("view", "views", () => ({ name: another("Board"), type: "list" }), { name: "Renamed" }),
  project,
  plain("command", "commands", () => ({ name: another("Report") }), { name: "Renamed" }),
  plain(
    "command",
    "skills",
    () => ({ name: another("Summary"), prompt: "Do." }),
    { name: "Renamed" },
    { targetType: "skill" }
  ),
  plain("brand", "brands", () => ({ name: another("Look") }), { name: "Renamed" }),
  plain("relation_def", "relation-defs", () => ({ slug: another("near"), displayName: "Near" }), { displayName: "By" }),
  plain("profile", "profiles", () => ({ slug: another("pump"), displayName: "Pump" }), { displayName: "Well" }),
  propertyDef,
  facet,
  rule,
  plain("session", "focus-sessions", () => ({ goal: "Ship it" }), { goal: "Ship more" }, { isDeleted: false }),
  artifact
]
