/** The MCP tool that stores a short text as a note, or as a knowledge entry under a key. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { writes } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"
import { EntityDraft } from "../entities/Entity.ts"
import { KnowledgeKey } from "../knowledge/KnowledgeEntry.ts"

const textMax = 20_000 // the maximum number of characters of one text; agents store a longer text as a document

export const CaptureInput = Schema.Struct({
  content: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(textMax)),
  title: Schema.optional(EntityDraft.fields.title),
  key: Schema.optional(KnowledgeKey),
  tags: EntityDraft.fields.tags,
  workspaceId: Schema.optional(Id),
  projectId: Schema.optional(Id),
  sessionId: Schema.optional(Id),
  idempotencyKey: IdempotencyKeyInput
})
export type CaptureInput = typeof CaptureInput.Type

export const CaptureResult = Schema.Struct({
  storedAs: described("What the pod stored: a note, or a knowledge entry.", Schema.Literal("note", "knowledge")),
  id: described("Id of the note or of the knowledge entry.", Id),
  title: described("Title of the note, or key of the entry.", Schema.String)
})
export type CaptureResult = typeof CaptureResult.Type

export const CaptureTools = [
  tool("svc_capture", {
    title: "Capture",
    input: describeArguments(CaptureInput, {
      content: "The text to store. A reader must understand the text without the conversation.",
      title: "The title of the note. Default: the first line of the text.",
      key: "A key, such as `deploy.branch`: the pod stores the text as a knowledge entry with this key, in place of the old value. Without a key, the pod stores a note.",
      tags: "Words by which people find the note.",
      workspaceId: "The id of the workspace to store the text in. Default: the personal space.",
      projectId: "The id of the project to add the note to.",
      sessionId: "The id of the focus session that the note belongs to.",
      idempotencyKey: idempotencyKeyText
    }),
    success: CaptureResult,
    door: writes("mcp.write", "entity", ["create"]),
    profiles: ["entry", "builder"],
    summary:
      "Store a thought, a finding or a decision quickly: as a note, or, with `key`, as a knowledge entry that replaces the old value. To store a fact about the person that you act for, use `svc_remember_fact`. A person might have to approve the write first."
  })
] as const
