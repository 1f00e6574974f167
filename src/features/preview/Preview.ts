/** What a draft of a grant would do, before a key is made of it: what it reads, which doors it opens, and "can it …?". */
import { Schema } from "effect"
import { namingAgent } from "../../doors/Fields.ts"
import { MintableScope } from "../keys/Key.ts"
import { GrantRequest } from "../grants/Grant.ts"

/** A question about one operation, and one object where it is about one. */
export const Question = Schema.Struct({
  /** An operation's name, such as `entities.update` or `svc_get_entities`. */
  operation: Schema.String.pipe(Schema.maxLength(120)),
  objectId: Schema.optional(Schema.UUID),
  /** What the object is, where the operation alone does not say: `entity`, `document`, `track` … */
  objectType: Schema.optional(Schema.String.pipe(Schema.maxLength(64))),
  /** Where something would be created; left out: in the person's own space. */
  workspaceId: Schema.optional(Schema.UUID),
  /** The kind of entity that would be created. */
  kind: Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
}).annotations({ identifier: "GrantQuestion" })
export type Question = typeof Question.Type

export const PreviewInput = namingAgent("agentId", {
  grant: GrantRequest,
  /** Left out: every scope of the Hub and of MCP. */
  scope: Schema.optional(Schema.Array(MintableScope).pipe(Schema.minItems(1), Schema.maxItems(32))),
  /** The agent that would hold the key; left out: the person. */
  agentId: Schema.optional(Schema.UUID),
  /** The workspace that the key would be made for. */
  workspaceId: Schema.optional(Schema.UUID),
  can: Schema.optional(Question)
}).annotations({ identifier: "GrantPreviewInput" })
export type PreviewInput = typeof PreviewInput.Type

export const GrantPreview = Schema.Struct({
  /** One sentence: what it may touch. */
  summary: Schema.String,
  /** How much it reads, by type, kind and workspace. */
  counts: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      kind: Schema.NullOr(Schema.String),
      workspaceId: Schema.NullOr(Schema.UUID),
      count: Schema.Number
    })
  ),
  /** A few of the latest of each. */
  samples: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      id: Schema.UUID,
      title: Schema.String,
      kind: Schema.NullOr(Schema.String),
      workspaceId: Schema.NullOr(Schema.UUID)
    })
  ),
  /** Every operation of the pod, and why one does not open. */
  doors: Schema.Array(
    Schema.Struct({
      surface: Schema.Literal("rest", "procedure", "tool"),
      operation: Schema.String,
      isOpen: Schema.Boolean,
      code: Schema.NullOr(Schema.String),
      reason: Schema.NullOr(Schema.String)
    })
  ),
  can: Schema.NullOr(
    Schema.Struct({
      verdict: Schema.Literal("allow", "deny", "propose"),
      code: Schema.NullOr(Schema.String),
      /** The rung of the ladder that decided; null where a door did. */
      rung: Schema.NullOr(Schema.String),
      reason: Schema.NullOr(Schema.String)
    })
  )
}).annotations({ identifier: "GrantPreview" })
export type GrantPreview = typeof GrantPreview.Type
