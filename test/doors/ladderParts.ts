/** The parts of the ladder examples: an agent's key, a person, a policy, a write. */
import { person, spaces } from "./generators.ts"
import type { AskedWrite, GivenPolicy } from "./ladderModel.ts"
import type { LivingKey, Person } from "./model.ts"

export const [home, workspace, elsewhere] = spaces
export const everybody: Person = { id: person, roles: new Map([home, workspace].map((space) => [space, "owner"])) }
export const inRole = (role: "admin" | "editor" | "viewer"): Person => ({
  id: person,
  roles: new Map([[workspace, role]])
})

export const anAgentsKey = (key: Partial<LivingKey> = {}): LivingKey => ({
  kind: "key",
  scopes: ["hub-protocol.write"],
  grant: null,
  workspaceId: null,
  capabilities: ["*"],
  ...key
})
export const limited = (permissions: ReadonlyArray<string>, entityIds: ReadonlyArray<string> | null = null) => ({
  grant: { permissions, workspaceIds: null, projectIds: null, entityIds }
})
export const relaxed = (given: Partial<GivenPolicy> = {}): GivenPolicy => ({
  role: "editor",
  isRelaxed: true,
  isItsOwn: false,
  autoApproveFor: null,
  rules: [],
  ...given
})
export const aWrite = (asked: Partial<AskedWrite> = {}, kind = "note", spaceId = workspace): AskedWrite => ({
  subject: "entity",
  action: "create",
  target: { id: null, spaceId, kind, projectIds: [] },
  ...asked
})
export const rule = (says: "auto" | "propose", pattern = "entity.create", kind: string | null = null) =>
  ({ of: "action", pattern, kind, says }) as const
