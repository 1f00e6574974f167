/**
 * A preview of a grant, for a key that does not exist yet or for the current state of an existing key. The preview
 * shows which records the key could read and which operations it could call. The preview can also say whether the key
 * is allowed to call one given operation.
 */
import { Schema } from "effect"
import { WorkspaceId, described, namingAgent, Timestamp } from "../../doors/Fields.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { Id } from "../../doors/Id.ts"
import { ToolProfile } from "../../doors/ToolProfile.ts"
import { Verdict } from "../../doors/GateVerdict.ts"
import { KeyLife, MintableScope } from "../keys/MintRequest.ts"
import { GrantRequest } from "../grants/Grant.ts"

/**
 * A question whether the key is allowed to call one operation. If the operation acts on one object, the question also
 * names the object.
 */
export const PreviewQuestion = Schema.Struct({
  operation: described(
    "Name of the operation, such as `entities.update` or `svc_get_entities`.",
    Schema.String.pipe(Schema.maxLength(120))
  ),
  objectId: described("Id of the object.", Schema.optional(Id)),
  objectType: described(
    "Type of the object, if the operation does not determine it: `entity`, `document`, `track` …",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  workspaceId: described("Id of the workspace of the write. Default: the personal space.", Schema.optional(Id)),
  kind: described(
    "Entity kind (profile slug) of the new entity.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  )
}).annotations({ identifier: "GrantQuestion" })
export type PreviewQuestion = typeof PreviewQuestion.Type

export const PreviewInput = namingAgent("agentId", {
  grant: described(
    "Permissions and limits of the key. A grant only narrows what the person may do. Required unless `keyId` is sent.",
    Schema.optional(GrantRequest)
  ),
  keyId: described(
    "Id of an existing key of yours or of your agent. The preview then shows this key as it is now. Send no other field except `can`.",
    Schema.optional(Id)
  ),
  expiresInDays: described(
    "How many days the key would be valid; null means that it never expires. If absent, the preview does not say when the key expires.",
    Schema.optional(Schema.NullOr(KeyLife))
  ),
  scope: described(
    "Scopes of the key. Default: every scope of the Hub and of MCP.",
    Schema.optional(Schema.Array(MintableScope).pipe(Schema.minItems(1), Schema.maxItems(32)))
  ),
  agentId: described(
    "Id of the agent that would hold the key. Default: the person holds the key.",
    Schema.optional(Id)
  ),
  workspaceId: described("Id of the workspace that the key would be limited to.", Schema.optional(Id)),
  toolProfile: described(
    "Tool profile of the key; null or absent means every MCP tool.",
    Schema.optional(Schema.NullOr(ToolProfile))
  ),
  can: described("A question to answer: may the key call this operation?", Schema.optional(PreviewQuestion))
}).annotations({ identifier: "GrantPreviewInput" })
export type PreviewInput = typeof PreviewInput.Type

/** Names a record. The answer lists the keys that can read this record. */
export const ReadRecord = Schema.Struct({
  objectType: described(
    "Type of the record: `entity`, `document`, `track` …",
    Schema.String.pipe(Schema.maxLength(64))
  ),
  objectId: described("Id of the record.", Id),
  ...pageInput("keyReaders", 200, 500, "objectId")
}).annotations({ identifier: "ReadRecord" })
export type ReadRecord = typeof ReadRecord.Type

export const KeyThatReads = Schema.Struct({
  keyId: described("Id of the key. The id is not secret.", Id),
  keyName: described("Name that the owner gave the key.", Schema.String),
  lastFour: described("Last four characters of the secret.", Schema.String),
  agentName: described("Name of the agent that holds the key; null for the person.", Schema.NullOr(Schema.String)),
  summary: described("A sentence for people about what the key may read and write.", Schema.String),
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("Time of the last use of the key; null means never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "KeyThatReads" })

const PreviewedRecord = Schema.Struct({
  type: Schema.String,
  id: Id,
  title: Schema.String,
  kind: Schema.NullOr(Schema.String),
  workspaceId: Schema.NullOr(WorkspaceId),
  rule: Schema.String
}).annotations({ identifier: "PreviewedRecord" })

const GrantRisk = Schema.Struct({
  code: described(
    "Code of the risk, for programs.",
    Schema.Literal("NEVER_EXPIRES", "FULL_ACCESS", "ADMINISTRATION", "CREATES_AGENTS", "VAULT")
  ),
  reason: described("The risk, as a sentence for people.", Schema.String)
}).annotations({ identifier: "GrantRisk" })
export type GrantRisk = typeof GrantRisk.Type

const LostAccess = Schema.Struct({
  type: described(
    "Type of the lost part of the grant.",
    Schema.Literal("workspace", "project", "entity", "permission")
  ),
  id: described("Id of the workspace, project or entity, or the permission.", Schema.String),
  reason: described("Why the key lost this part, as a sentence for people.", Schema.String)
}).annotations({ identifier: "LostAccess" })
export type LostAccess = typeof LostAccess.Type

export const GrantPreview = Schema.Struct({
  summary: described("A short sentence for people about the grant, as the list of keys shows it.", Schema.String),
  sentence: described(
    "A sentence for people: which kinds the key reads and in which workspaces, whether it can write, and when it expires.",
    Schema.String
  ),
  risks: described(
    "What a person should check again before the key is created. Empty for a narrow key that expires.",
    Schema.Array(GrantRisk)
  ),
  lost: described(
    "Parts of the grant that no longer exist, or that you can no longer read. Always empty for a new key.",
    Schema.Array(LostAccess)
  ),
  counts: described(
    "How many records the key can read, by type, kind and workspace. The pod stops counting at 10,000. For a key that is limited to projects, the kinds are counted among the first 10,000 entities.",
    Schema.Array(
      Schema.Struct({
        type: Schema.String,
        kind: Schema.NullOr(Schema.String),
        workspaceId: Schema.NullOr(WorkspaceId),
        count: Schema.Number
      })
    )
  ),
  samples: described(
    "Some of your latest records of each type that the key can read; `rule` is the permission that allows this.",
    Schema.Array(PreviewedRecord)
  ),
  missed: described(
    "Some of your latest records of each type that the key cannot read; `rule` says why.",
    Schema.Array(PreviewedRecord)
  ),
  doors: described(
    "Every operation of the pod; for a refused operation also the reason.",
    Schema.Array(
      Schema.Struct({
        surface: described("Surface: REST, tRPC or MCP.", Schema.Literal("rest", "procedure", "tool")),
        operation: described("Name of the operation.", Schema.String),
        isOpen: described("Whether the key may call the operation.", Schema.Boolean),
        code: described("Code of the reason, for programs.", Schema.NullOr(Schema.String)),
        reason: described(
          "Why the pod refuses the call; null if the pod does not refuse it.",
          Schema.NullOr(Schema.String)
        )
      })
    )
  ),
  can: described(
    "Whether the key may call the operation in the question; null without a question.",
    Schema.NullOr(
      Schema.Struct({
        verdict: Verdict,
        code: described("Code of the reason, for programs.", Schema.NullOr(Schema.String)),
        rung: described("Rung (rule of the gate) that decided; null if no rung decided.", Schema.NullOr(Schema.String)),
        reason: described(
          "Why the pod refuses the call or asks a person first; null if it does neither.",
          Schema.NullOr(Schema.String)
        ),
        required: described("Permissions that the operation needs.", Schema.Array(Schema.String)),
        matched: described("Permissions of the grant that cover the operation.", Schema.Array(Schema.String)),
        nearMisses: described(
          "Permissions of the grant that have the same subject but do not cover the operation.",
          Schema.Array(Schema.String)
        )
      })
    )
  )
}).annotations({ identifier: "GrantPreview" })
export type GrantPreview = typeof GrantPreview.Type
