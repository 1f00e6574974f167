/** The MCP tools of documents. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/Declare.ts"
import { rows, writes } from "../../doors/Door.ts"
import { NotImplemented } from "../../doors/Failure.ts"
import { keyLength } from "../../doors/Idempotency.ts"
import { DocumentDraft, DocumentHead, DocumentType } from "./Document.ts"

const { content, entityId, sessionId, title, type, workspaceId } = DocumentDraft.fields

export const DocumentTools = [
  tool("svc_get_document", {
    title: "Get document",
    input: describeArguments(
      Schema.Struct({
        documentId: Schema.UUID,
        format: Schema.optionalWith(Schema.Literal("raw", "readable"), { default: () => "raw" as const })
      }),
      {
        documentId: "The document to read.",
        format: "raw gives the stored text; readable leaves out the markup of HTML."
      }
    ),
    success: Schema.Struct({
      documentId: Schema.UUID,
      workspaceId: Schema.NullOr(Schema.UUID),
      title: Schema.String,
      type: DocumentType,
      content: Schema.String,
      revision: Schema.Number,
      sections: Schema.Array(
        Schema.Struct({ level: Schema.Number, title: Schema.String, start: Schema.Number, end: Schema.Number })
      ),
      diagnostics: Schema.Array(Schema.String)
    }),
    door: rows("mcp.read", "document"),
    summary:
      "Read a document: its content, its revision to edit from, and where its Markdown sections begin. " +
      "readable leaves out the markup of HTML."
  }),
  tool("svc_create_document", {
    title: "Create document",
    input: describeArguments(
      Schema.Struct({
        title,
        content,
        url: Schema.optional(Schema.String.pipe(Schema.maxLength(2000))),
        type,
        entityId,
        workspaceId,
        sessionId,
        idempotencyKey: Schema.optional(
          Schema.String.pipe(Schema.minLength(keyLength.least), Schema.maxLength(keyLength.most))
        )
      }),
      {
        title: "Its title.",
        content: "Its text.",
        url: "Not supported: the pod does not fetch addresses. Send the content.",
        type: "The type of text that the content is.",
        entityId: "The entity that it belongs to.",
        workspaceId: "The workspace to create it in; left out, it is the person's own space.",
        sessionId: "The focus session that this belongs to.",
        idempotencyKey: "A text of your own that identifies this write: a repeated call with it does not write twice."
      }
    ),
    success: Schema.Struct({ document: DocumentHead.schema, isKnown: Schema.Boolean }),
    door: writes("mcp.write", "document", ["create"]),
    errors: [NotImplemented],
    summary:
      "Write a document. Without an idempotencyKey, the same title and content again return the existing " +
      "document (isKnown). A person may have to approve it first: do not repeat it then."
  })
] as const
