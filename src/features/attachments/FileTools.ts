/**
 * The MCP tool that stores a file. It stores a text as a document, and any other file as an attachment of an entity.
 */
import { Schema } from "effect"
import { describeArguments } from "../../doors/Arguments.ts"
import { tool } from "../../doors/DeclareTool.ts"
import { writes } from "../../doors/Door.ts"
import { described } from "../../doors/Fields.ts"
import { TooLarge, UnsupportedMedia } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { IdempotencyKeyInput, idempotencyKeyText } from "../../doors/RepeatableTool.ts"

const FileName = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))
const MimeType = Schema.String.pipe(
  Schema.maxLength(127),
  Schema.pattern(/^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/)
)

export const FileInput = Schema.Struct({
  filename: FileName,
  mimeType: MimeType,
  content: Schema.optional(Schema.String),
  contentBase64: Schema.optional(Schema.String),
  title: Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
  workspaceId: Schema.optional(Id),
  attachToEntityId: Schema.optional(Id),
  sessionId: Schema.optional(Id)
})
export type FileInput = typeof FileInput.Type

export const StoredFile = Schema.Struct({
  storedAs: described(
    "What the pod stored: a `document` for a text, an `attachment` for every other file.",
    Schema.Literal("document", "attachment")
  ),
  documentId: Schema.NullOr(Id),
  attachmentId: described("Id of the attachment.", Schema.NullOr(Id)),
  entityId: described("Id of the entity that has the file.", Schema.NullOr(Id)),
  sizeBytes: described("Size of the file in bytes.", Schema.Number),
  isKnown: described("Whether the pod already had the same document before this call.", Schema.Boolean)
})
export type StoredFile = typeof StoredFile.Type

export const FileTools = [
  tool("svc_store_file", {
    title: "Store a file",
    input: describeArguments(Schema.extend(FileInput, Schema.Struct({ idempotencyKey: IdempotencyKeyInput })), {
      filename: "The name of the file with its ending.",
      mimeType: "The media type of the file, such as `text/csv` or `image/png`.",
      content: "The text of the file. Send either `content` or `contentBase64`.",
      contentBase64: "The bytes of the file in base64, for a file that is not a text.",
      title: "The title of the document or of the new entity. Default: the file name.",
      workspaceId: "The id of the workspace to store the file in. Default: the personal space.",
      attachToEntityId:
        "The id of the entity to attach the file to. Default for a file that is not a text: a new note.",
      sessionId: "The id of the focus session that the file belongs to.",
      idempotencyKey: idempotencyKeyText
    }),
    success: StoredFile,
    door: writes("mcp.write", "document", ["create"]),
    errors: [TooLarge, UnsupportedMedia],
    profiles: ["builder"],
    summary:
      "Store a file of at most 10 MB. A text becomes a document, which people and agents can search and read; every other file becomes an attachment of an entity. A person might have to approve the document first."
  })
] as const
