/** The request for a new key, in the present form and in an older form, and its normalized form. */
import { DateTime, Schema } from "effect"
import { described, namingAgent, TimestampInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { mintableScopes } from "../../doors/Scope.ts"
import { ToolProfile } from "../../doors/ToolProfile.ts"
import { GrantRequest } from "../grants/Grant.ts"

export const lifeDaysDefault = 90
const lifeDaysMax = 36_500
/** A scope that a new key is allowed to have. Retired scopes are refused here, and on old keys they allow nothing. */
export const MintableScope = Schema.Literal(...mintableScopes).annotations({ identifier: "Scope" })

export const KeyName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(100))

const Workspace = described("Id of the workspace that the key is limited to.", Id)

/** The number of days for which a new key is valid. */
export const KeyLife = Schema.Int.pipe(Schema.between(1, lifeDaysMax))

const fields = {
  keyName: described("Name that the owner gave the key.", KeyName),
  scope: described(
    "Scopes of the key: which operations the key may call.",
    Schema.Array(MintableScope).pipe(Schema.minItems(1), Schema.maxItems(32))
  ),
  grant: described(
    "Permissions and limits of the key. A grant only narrows what the owner of the key may do.",
    GrantRequest
  ),
  expiresInDays: described(
    "How many days the key is valid. Default: 90. Null means that the key never expires.",
    Schema.optional(Schema.NullOr(KeyLife))
  ),
  agentId: described("Id of the agent of the caller who will hold the key.", Schema.optional(Id)),
  hubId: described(
    "Id of the pod that the key is for; the key becomes a service key.",
    Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120)))
  ),
  toolProfile: described(
    "Set of MCP tools: `entry` or `builder`. Null or absent means every tool that the scopes and the grant allow.",
    Schema.optional(Schema.NullOr(ToolProfile))
  )
}

const olderFields = {
  name: KeyName,
  scopes: fields.scope,
  expiresAt: described("Time when the key expires; null means never.", Schema.optional(Schema.NullOr(TimestampInput))),
  grant: described(
    "Permissions and limits of the key. A grant only narrows what the owner of the key may do.",
    Schema.optional(GrantRequest)
  ),
  toolProfile: fields.toolProfile
}

/** A request for a new key, in the present form or in the older form. */
export const KeyRequest = Schema.Union(
  namingAgent("agentId", { ...fields, workspaceId: Schema.optional(Workspace) }),
  Schema.Struct({ ...olderFields, workspaceId: Schema.optional(Workspace) })
).annotations({ identifier: "KeyRequest" })
export type KeyRequest = typeof KeyRequest.Type

/**
 * A request for a key that is limited to one workspace. It has the same fields as other requests, but the workspace is
 * required.
 */
export const WorkspaceKeyRequest = Schema.Union(
  namingAgent("agentId", { ...fields, workspaceId: Workspace }),
  Schema.Struct({ ...olderFields, workspaceId: Workspace })
).annotations({ identifier: "WorkspaceKeyRequest" })

/**
 * A request for a key, converted to one form. A client can send the present form or the older form. `grant` is null
 * only if the client sent the older form without a grant.
 */
export interface NormalizedKeyRequest {
  readonly keyName: string
  readonly scopes: ReadonlyArray<string>
  readonly grant: GrantRequest | null
  readonly expiresAt: DateTime.Utc | null
  readonly agentId: string | undefined
  readonly hubId: string | undefined
  readonly workspaceId: string | undefined
  readonly toolProfile: ToolProfile | null
}

export const normalizeKeyRequest = (request: KeyRequest, now: DateTime.Utc): NormalizedKeyRequest => {
  const inDays = (days: number) => DateTime.add(now, { days })
  if ("keyName" in request) {
    return {
      keyName: request.keyName,
      scopes: [...new Set(request.scope)],
      grant: request.grant,
      expiresAt: request.expiresInDays === null ? null : inDays(request.expiresInDays ?? lifeDaysDefault),
      agentId: request.agentId,
      hubId: request.hubId,
      workspaceId: request.workspaceId,
      toolProfile: request.toolProfile ?? null
    }
  }
  return {
    keyName: request.name,
    scopes: [...new Set(request.scopes)],
    grant: request.grant ?? null,
    expiresAt: request.expiresAt === null ? null : (request.expiresAt ?? inDays(lifeDaysDefault)),
    agentId: undefined,
    hubId: undefined,
    workspaceId: request.workspaceId,
    toolProfile: request.toolProfile ?? null
  }
}
