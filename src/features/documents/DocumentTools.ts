/** The MCP tools of documents. */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { fullGrantInSpaces, rows, writes } from "../../doors/Door.ts"
import { pageInput } from "../../doors/PageFields.ts"
import { NotFound, NotImplemented } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { toolPage } from "../../doors/Page.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"
import { DocumentDraft, DocumentHead, DocumentType } from "./Document.ts"

const { content, entityId, sessionId, title, type, workspaceId } = DocumentDraft.fields

export const DocumentTools = [
  tool("svc_list_documents", {
    title: "List documents",
    input: describeArguments(
      Schema.Struct({
        workspaceId: Schema.optional(Id),
        projectId: Schema.optional(Id),
        entityId: Schema.optional(Id),
        ...pageInput("documents", 20, 100)
      }),
      {
        workspaceId: "The id of a workspace: only its documents are listed.",
        projectId: "The id of a project: only its documents are listed.",
        entityId: "The id of an entity: only its documents are listed.",
        limit: "The largest number of documents to list.",
        offset: "The number of documents to skip.",
        cursor: "The `nextCursor` of the previous page. Send either `cursor` or `offset`."
      }
    ),
    success: toolPage(Schema.Struct({ documents: Schema.Array(DocumentHead.schema) })),
    // keys with limits are allowed to read documents by id, but not to list them (specification §5.4)
    door: fullGrantInSpaces("mcp.read"),
    profiles: ["builder"],
    summary:
      "List the documents that you may read, latest change first, without their text. To read one, call `svc_get_document`."
  }),
  tool("svc_get_document", {
    title: "Get document",
    input: describeArguments(
      Schema.Struct({
        documentId: Id,
        format: Schema.optionalWith(Schema.Literal("raw", "readable"), { default: () => "raw" as const })
      }),
      {
        documentId: "The id of the document to read.",
        format: "`raw` returns the stored text; `readable` returns the text without the markup of HTML."
      }
    ),
    success: Schema.Struct({
      documentId: Id,
      workspaceId: Schema.NullOr(Id),
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
    errors: [NotFound],
    profiles: ["builder"],
    summary:
      "Read a document: its content, the revision number to edit from, and where its Markdown sections begin. " +
      "The format `readable` returns the text without the markup of HTML."
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
        idempotencyKey: IdempotencyKeyInput
      }),
      {
        title: "The title of the document.",
        content: "The text of the document.",
        url: "Not supported: the pod does not read texts from addresses. Send the text in `content`.",
        type: "The type of the text in `content`.",
        entityId: "The id of the entity that the document belongs to.",
        workspaceId: "The id of the workspace to create the document in. Default: the personal space.",
        sessionId: "The id of the focus session that the document belongs to.",
        idempotencyKey: idempotencyKeyText
      }
    ),
    success: Schema.Struct({ document: DocumentHead.schema, isKnown: Schema.Boolean }),
    door: writes("mcp.write", "document", ["create"]),
    errors: [NotImplemented],
    profiles: ["builder"],
    summary:
      "Create a document. Without an `idempotencyKey`, a second call with the same title and content returns the existing " +
      "document with `isKnown` true. If a person has to approve the document first, do not repeat the call."
  })
] as const
