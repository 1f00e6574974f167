/** A preview of a grant before a key is made with it: what it reads, which operations it may call, and "can it …?". */
import { Schema } from "effect"
import { WorkspaceId, described, namingAgent } from "../../doors/Fields.ts"
import { MintableScope } from "../keys/Key.ts"
import { GrantRequest } from "../grants/Grant.ts"

/** A question about one operation, and one object where it is about one. */
export const PreviewQuestion = Schema.Struct({
  operation: described(
    "An operation's name, such as `entities.update` or `svc_get_entities`.",
    Schema.String.pipe(Schema.maxLength(120))
  ),
  objectId: described("The object, by id.", Schema.optional(Schema.UUID)),
  objectType: described(
    "The type of the object, if the operation does not determine it: `entity`, `document`, `track` …",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  ),
  workspaceId: described(
    "The workspace where something would be created; left out: the person's own space.",
    Schema.optional(Schema.UUID)
  ),
  kind: described(
    "The kind of entity that would be created.",
    Schema.optional(Schema.String.pipe(Schema.maxLength(64)))
  )
}).annotations({ identifier: "GrantQuestion" })
export type PreviewQuestion = typeof PreviewQuestion.Type

export const PreviewInput = namingAgent("agentId", {
  grant: described("What the credential may touch; it only narrows.", GrantRequest),
  scope: described(
    "Left out: every scope of the Hub and of MCP.",
    Schema.optional(Schema.Array(MintableScope).pipe(Schema.minItems(1), Schema.maxItems(32)))
  ),
  agentId: described("The agent that would hold the key; left out: the person.", Schema.optional(Schema.UUID)),
  workspaceId: described("The workspace that the key would be made for.", Schema.optional(Schema.UUID)),
  can: described("A question about one operation, and its answer.", Schema.optional(PreviewQuestion))
}).annotations({ identifier: "GrantPreviewInput" })
export type PreviewInput = typeof PreviewInput.Type

export const GrantPreview = Schema.Struct({
  summary: described("One sentence: what it may touch.", Schema.String),
  counts: described(
    "How many records it can read, by type, kind and workspace.",
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
    "A few of the latest records of each type.",
    Schema.Array(
      Schema.Struct({
        type: Schema.String,
        id: Schema.UUID,
        title: Schema.String,
        kind: Schema.NullOr(Schema.String),
        workspaceId: Schema.NullOr(WorkspaceId)
      })
    )
  ),
  doors: described(
    "Every operation of the pod; for a refused one, the reason.",
    Schema.Array(
      Schema.Struct({
        surface: described("REST, tRPC or MCP.", Schema.Literal("rest", "procedure", "tool")),
        operation: described("The operation that was called.", Schema.String),
        isOpen: described("Whether the key may call it.", Schema.Boolean),
        code: described("Names the cause, for programs.", Schema.NullOr(Schema.String)),
        reason: described("The reason, for people.", Schema.NullOr(Schema.String))
      })
    )
  ),
  can: described(
    "A question about one operation, and its answer.",
    Schema.NullOr(
      Schema.Struct({
        verdict: described(
          "The decision of the gate: allow, deny or propose.",
          Schema.Literal("allow", "deny", "propose")
        ),
        code: described("Names the cause, for programs.", Schema.NullOr(Schema.String)),
        rung: described("The step of the gate that decided; null if the door decided.", Schema.NullOr(Schema.String)),
        reason: described("The reason, for people.", Schema.NullOr(Schema.String))
      })
    )
  )
}).annotations({ identifier: "GrantPreview" })
export type GrantPreview = typeof GrantPreview.Type
