/** The draft of a key in the wizard: its first values, the requests to the pod, and warnings about its scopes. */
import type { ProcedureInput, ProcedureOutput } from "../../api/procedures.ts"
import { everyPermission, hasReads, hasWrites } from "./permissionMatrix.ts"
import type { PreviewInput } from "./useGrantPreview.ts"
import { isScope, type Scope, writesThrough } from "./scopeWords.ts"

export type Key = ProcedureOutput<"apiKeys.list">[number]
export type Role = ProcedureOutput<"roles.list">[number]

/** The permissions of a grant and its limits. A limit that is null does not apply. */
export interface GrantDraft {
  readonly permissions: ReadonlyArray<string>
  readonly workspaceIds: ReadonlyArray<string> | null
  readonly projectIds: ReadonlyArray<string> | null
  readonly entityIds: ReadonlyArray<string> | null
}

export interface KeyDraft {
  readonly holder: "me" | "agent" | "app"
  readonly agentId: string
  readonly hubId: string
  /**
   * The id of the role from which the grant comes. Null if the grant comes from no role, or if the person changed it
   * afterwards.
   */
  readonly roleId: string | null
  readonly grant: GrantDraft
  readonly scopes: ReadonlyArray<Scope>
  readonly toolProfile: "" | "entry" | "builder"
  /** The number of days for which the key is valid. Null if the key never expires. */
  readonly days: number | null
  readonly name: string
}

const fullGrant: GrantDraft = { permissions: [everyPermission], workspaceIds: null, projectIds: null, entityIds: null }
const readScopes: ReadonlyArray<Scope> = ["hub-protocol.read", "mcp.read"]
const readingAndWriting: ReadonlyArray<Scope> = ["hub-protocol.read", "hub-protocol.write", "mcp.read", "mcp.write"]

export const daysDefault = 90

export const emptyDraft: KeyDraft = {
  holder: "me",
  agentId: "",
  hubId: "",
  roleId: null,
  grant: { ...fullGrant, permissions: [] },
  scopes: readScopes,
  toolProfile: "",
  days: daysDefault,
  name: ""
}

export interface Recipe {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly gives: Partial<KeyDraft>
}

export const recipes: ReadonlyArray<Recipe> = [
  {
    id: "read",
    name: "Read everything",
    about: "Reads what you can see, over REST and MCP. Writes nothing.",
    gives: { grant: fullGrant, scopes: readScopes }
  },
  {
    id: "workspace",
    name: "Read one workspace",
    about: "Reads one workspace that you choose below, and nothing else.",
    gives: { grant: { ...fullGrant, workspaceIds: [] }, scopes: readScopes }
  },
  {
    id: "memory",
    name: "Memory only",
    about: "Remembers and recalls facts about you. Sees nothing else.",
    gives: { grant: { ...fullGrant, permissions: ["memory"] }, scopes: readingAndWriting }
  },
  {
    id: "agent",
    name: "Agent that proposes",
    about: "Held by an agent: it reads what you see, and its writes wait for your approval.",
    gives: { holder: "agent", grant: fullGrant, scopes: readingAndWriting }
  },
  {
    id: "n8n",
    name: "n8n",
    about: "Searches and creates from workflows.",
    gives: {
      grant: fullGrant,
      scopes: ["hub-protocol.read", "read:entities", "write:entities", "ai:analyze", "mcp.read"]
    }
  },
  {
    id: "full",
    name: "Full access",
    about: "All that you may do. Give it only to programs of your own.",
    gives: { grant: fullGrant, scopes: readingAndWriting }
  }
]

/**
 * Turns the grant of a key or a role into a draft. A key without a grant has all permissions, so its draft has them
 * too.
 */
export const grantDraftOf = (
  grant: {
    readonly permissions: ReadonlyArray<string>
    readonly workspaceIds?: ReadonlyArray<string> | null | undefined
    readonly projectIds?: ReadonlyArray<string> | null | undefined
    readonly entityIds?: ReadonlyArray<string> | null | undefined
  } | null
): GrantDraft =>
  grant === null
    ? fullGrant
    : {
        permissions: grant.permissions,
        workspaceIds: grant.workspaceIds ?? null,
        projectIds: grant.projectIds ?? null,
        entityIds: grant.entityIds ?? null
      }

export const fromRole = (draft: KeyDraft, { grant, id }: Role): KeyDraft => ({
  ...draft,
  roleId: id,
  grant: grantDraftOf(grant)
})

/**
 * Makes a draft with the same rights as a key. If the key belongs to one workspace, the draft is limited to this
 * workspace.
 */
export const fromKey = (key: Key): KeyDraft => {
  const grant = grantDraftOf(key.grant)
  return {
    ...emptyDraft,
    holder: key.hubId !== null ? "app" : key.heldByAgent ? "agent" : "me",
    agentId: key.heldByAgent ? key.holderId : "",
    hubId: key.hubId ?? "",
    grant: key.workspaceId === null ? grant : { ...grant, workspaceIds: [key.workspaceId] },
    scopes: key.scope.filter(isScope),
    toolProfile: key.toolProfile ?? "",
    name: `${key.keyName} (copy)`
  }
}

type GrantRequest = NonNullable<PreviewInput["grant"]>

/**
 * Turns the grant of a draft into the form for a request. If the grant comes from a role, the request contains only the
 * id of the role, so that the key stays linked to the role.
 */
export const grantRequest = ({ grant, roleId }: Pick<KeyDraft, "grant" | "roleId">): GrantRequest =>
  roleId === null
    ? {
        permissions: grant.permissions,
        ...(grant.workspaceIds === null ? {} : { workspaceIds: grant.workspaceIds }),
        ...(grant.projectIds === null ? {} : { projectIds: grant.projectIds }),
        ...(grant.entityIds === null ? {} : { entityIds: grant.entityIds })
      }
    : { roleId }

const isWhole = ({ permissions }: GrantDraft) => permissions.some((each) => each.trim() === everyPermission)

/**
 * Converts the rights of a draft to the fields that a request to the pod needs. If the draft allows everything in
 * exactly one workspace, the request asks for a key of this workspace. Such a key may call all operations on the
 * content of the workspace, such as search. Otherwise the request has a grant that names workspaces. A key with such a
 * grant may call only the operations that can filter each row.
 */
const rightsRequest = (draft: KeyDraft): { readonly grant: GrantRequest; readonly workspaceId?: string } => {
  const { entityIds, permissions, projectIds, workspaceIds } = draft.grant
  const [workspaceId, ...others] = workspaceIds ?? []
  const isOnePlace = workspaceId !== undefined && others.length === 0 && projectIds === null && entityIds === null
  return draft.roleId === null && isOnePlace && isWhole(draft.grant)
    ? { grant: { permissions }, workspaceId }
    : { grant: grantRequest(draft) }
}

/** A sentence that says what is missing in the draft. Undefined if the draft is complete. */
export const missingPart = (draft: KeyDraft): string | undefined => {
  if (draft.grant.permissions.length === 0)
    return "Choose what the key may do: a starting point, or cells of the table."
  if (draft.scopes.length === 0) return "Choose at least one scope."
  if (draft.holder === "agent" && draft.agentId === "") return "Choose the agent that will hold the key."
  if (draft.holder === "app" && draft.hubId.trim() === "") return "Name the app or service that will hold the key."
  if (draft.grant.workspaceIds?.length === 0) return "Choose at least one workspace, or all that you can see."
  if (draft.grant.projectIds?.length === 0) return "Choose at least one project, or do not narrow by project."
  if (draft.grant.entityIds?.length === 0) return "Choose at least one object, or do not narrow by object."
  return undefined
}

export const previewInput = (draft: KeyDraft): PreviewInput => ({
  ...rightsRequest(draft),
  scope: draft.scopes,
  expiresInDays: draft.days,
  ...(draft.holder === "agent" && draft.agentId !== "" ? { agentId: draft.agentId } : {}),
  ...(draft.toolProfile === "" ? {} : { toolProfile: draft.toolProfile })
})

export const keyRequest = (draft: KeyDraft): ProcedureInput<"apiKeys.create"> => ({
  keyName: draft.name.trim(),
  scope: draft.scopes,
  ...rightsRequest(draft),
  expiresInDays: draft.days,
  ...(draft.holder === "agent" ? { agentId: draft.agentId } : {}),
  ...(draft.holder === "app" ? { hubId: draft.hubId.trim() } : {}),
  ...(draft.toolProfile === "" ? {} : { toolProfile: draft.toolProfile })
})

/**
 * Warnings about combinations of choices that have no effect, such as permissions to write without a scope to write.
 */
export const uselessPairs = ({ grant, scopes }: KeyDraft): ReadonlyArray<string> => [
  ...(!isWhole(grant) && hasWrites(grant.permissions) && !writesThrough(scopes)
    ? ["The table allows writing, but no scope for writing is chosen."]
    : []),
  ...(grant.permissions.length > 0 && !hasWrites(grant.permissions) && writesThrough(scopes)
    ? ["A scope for writing is chosen, but the table allows only reading."]
    : []),
  ...(grant.permissions.length > 0 && !hasReads(grant.permissions)
    ? ["The table allows no reading, so the key will not see what it writes."]
    : [])
]

/** True if the scopes and the permissions of the draft both allow a write. If true, a new agent gets capabilities. */
export const canWrite = ({ grant, scopes }: KeyDraft): boolean => writesThrough(scopes) && hasWrites(grant.permissions)
