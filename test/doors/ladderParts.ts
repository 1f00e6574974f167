/** The parts of the examples for the gate's rules: an agent's key, a person, a policy, a write. */
import { person, spaces } from "./generators.ts"
import type { ModelWrite, ModelPolicy } from "./ladderModel.ts"
import type { ModelKey, Person } from "./model.ts"

export const [home, workspace, elsewhere] = spaces
export const ownerOfBothSpaces: Person = {
  id: person,
  roles: new Map([home, workspace].map((space) => [space, "owner"]))
}
export const personInRole = (role: "admin" | "editor" | "viewer"): Person => ({
  id: person,
  roles: new Map([[workspace, role]])
})

export const anAgentsKey = (key: Partial<ModelKey> = {}): ModelKey => ({
  kind: "key",
  scopes: ["hub-protocol.write"],
  grant: null,
  workspaceId: null,
  capabilities: ["*"],
  ...key
})
export const limitedGrant = (permissions: ReadonlyArray<string>, entityIds: ReadonlyArray<string> | null = null) => ({
  grant: { permissions, workspaceIds: null, projectIds: null, entityIds }
})
export const relaxedPolicy = (given: Partial<ModelPolicy> = {}): ModelPolicy => ({
  role: "editor",
  isRelaxed: true,
  isItsOwn: false,
  autoApproveFor: null,
  rules: [],
  ...given
})
export const aWrite = (asked: Partial<ModelWrite> = {}, kind = "note", spaceId = workspace): ModelWrite => ({
  subject: "entity",
  action: "create",
  target: { id: null, spaceId, kind, projectIds: [] },
  ...asked
})
export const rule = (says: "auto" | "propose", pattern = "entity.create", kind: string | null = null) =>
  ({ of: "action", pattern, kind, says }) as const
