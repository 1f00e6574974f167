/** The MCP tools of documents. */
import { Schema } from "effect"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotImplemented } from "../../doors/Failure.ts"
import { keyLength } from "../../doors/Idempotency.ts"
import { DocumentDraft, DocumentHead, DocumentType } from "./Document.ts"
import { WorkspaceId, described } from "../../doors/Fields.ts"

const { content, entityId, sessionId, title, type, workspaceId } = DocumentDraft.fields

export const DocumentTools = [
  tool("svc_get_document", {
    title: "Get document",
    input: Schema.Struct({
      documentId: described("The document it belongs to.", Schema.UUID),
      format: described(
        "How it is written out.",
        Schema.optionalWith(Schema.Literal("raw", "readable"), { default: () => "raw" as const })
      )
    }),
    success: Schema.Struct({
      documentId: described("The document it belongs to.", Schema.UUID),
      workspaceId: Schema.NullOr(WorkspaceId),
      title: Schema.String,
      type: DocumentType,
      content: described("The text.", Schema.String),
      revision: described("Which write of it, from 1.", Schema.Number),
      sections: described(
        "Its headings, in order.",
        Schema.Array(
          Schema.Struct({
            level: described("How deep the heading stands.", Schema.Number),
            title: Schema.String,
            start: described("From this character, counted from 0.", Schema.Number),
            end: described("Up to this character, without it.", Schema.Number)
          })
        )
      ),
      diagnostics: described("What could not be read of it.", Schema.Array(Schema.String))
    }),
    door: rows("mcp.read", "document"),
    summary:
      "Read a document: its content, its revision to edit from, and where its Markdown sections begin. " +
      "readable leaves the markup of HTML out."
  }),
  tool("svc_create_document", {
    title: "Create document",
    input: Schema.Struct({
      title,
      content,
      url: Schema.optional(Schema.String.pipe(Schema.maxLength(2000))).annotations({
        description: "Not offered here: nothing is fetched. Send the content."
      }),
      type,
      entityId,
      workspaceId,
      sessionId,
      idempotencyKey: described(
        "Makes a repetition answer the same.",
        Schema.optional(Schema.String.pipe(Schema.minLength(keyLength.least), Schema.maxLength(keyLength.most)))
      )
    }),
    success: Schema.Struct({
      document: described("The document.", DocumentHead.schema),
      isKnown: described("Whether the pod knows it.", Schema.Boolean)
    }),
    door: writes("mcp.write", "document", ["create"]),
    errors: [NotImplemented],
    summary:
      "Write a document. Without an idempotencyKey the same title and content again answer the document that is " +
      "there (isKnown). May be put before a person: do not repeat it then."
  })
] as const
