/**
 * The service of files that agents send. A text of moderate length becomes a document. Any other file becomes an
 * attachment.
 */
import { Context, Effect, Layer } from "effect"
import { isUtf8 } from "node:buffer"
import { Forbidden, invalid, TooLarge, type UnsupportedMedia, UnsupportedMedia as Media } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { contentMax, type DocumentType } from "../documents/Document.ts"
import { Documents } from "../documents/Documents.ts"
import { Entities } from "../entities/Entities.ts"
import type { WriteFailure } from "../records/RecordOperations.ts"
import { Attachments } from "./Attachments.ts"
import type { FileInput, StoredFile } from "./FileTools.ts"
import { imageTypeOf } from "./ImageBytes.ts"

const sizeMax = 10 * 1024 * 1024 // the maximum number of bytes of one file
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/

const codeTypes = /^application\/(?:json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh)$|\+(?:json|xml)$/

/**
 * Returns the document type for the media type of a text file. Returns undefined for the media type of any other file.
 */
const documentTypeOf = (mimeType: string): typeof DocumentType.Type | undefined => {
  const type = mimeType.toLowerCase()
  if (type === "text/markdown" || type === "text/x-markdown") return "markdown"
  if (type === "text/html") return "html"
  if (codeTypes.test(type) || /^text\/(?:x-|javascript|css)/.test(type)) return "code"
  return type.startsWith("text/") ? "text" : undefined
}

const bytesOf = Effect.fnUntraced(function* ({ content, contentBase64 }: FileInput) {
  const sent = content ?? contentBase64
  if (sent === undefined || (content !== undefined && contentBase64 !== undefined)) {
    return yield* invalid("content", "Send either `content` or `contentBase64`.")
  }
  if (contentBase64 !== undefined && (contentBase64.length % 4 !== 0 || !base64Form.test(contentBase64))) {
    return yield* invalid("contentBase64", "must be base64")
  }
  const bytes = Buffer.from(sent, content === undefined ? "base64" : "utf8")
  if (bytes.length > sizeMax) return yield* TooLarge.bytes(sizeMax)
  return bytes.length === 0 ? yield* invalid("content", "The file is empty. Send a file with content.") : bytes
})

const cannotWait = new Forbidden({
  code: "APPROVAL_NEEDED",
  why: "A person has to approve this write, but a proposal cannot contain the bytes of a file. Send a text, or attach the file to an entity that you may change without approval.",
  required: [],
  granted: []
})

export class StoredFiles extends Context.Tag("pod/StoredFiles")<
  StoredFiles,
  {
    /**
     * Stores a file. Fails with TooLarge above 10 MB. Fails with UnsupportedMedia if the media type is that of a
     * picture but the bytes are not a picture. Fails with Forbidden if a person would have to approve the attachment.
     */
    readonly store: (
      file: FileInput
    ) => Effect.Effect<StoredFile, WriteFailure | TooLarge | UnsupportedMedia | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const attachments = yield* Attachments
      const documents = yield* Documents
      const entities = yield* Entities
      const { atomically } = yield* Transaction

      const asDocument = Effect.fnUntraced(function* (
        file: FileInput,
        content: string,
        type: typeof DocumentType.Type
      ) {
        const entityId = file.attachToEntityId ?? null
        const fields = { title: file.title ?? file.filename, content, type, entityId, projectId: null }
        const { document, isKnown } = yield* documents.createOnce({
          workspaceId: file.workspaceId,
          sessionId: file.sessionId,
          fields
        })
        return { storedAs: "document" as const, documentId: document.id, attachmentId: null, entityId, isKnown }
      })

      /**
       * Returns the entity to which the file is attached. If the caller names no entity, creates a new note for the
       * file.
       */
      const entityFor = ({ attachToEntityId, filename, sessionId, title, workspaceId }: FileInput) =>
        attachToEntityId === undefined
          ? Effect.map(
              entities.create({
                profileSlug: "note",
                title: title ?? filename,
                forceCreate: true,
                ...(workspaceId && { workspaceId }),
                ...(sessionId && { sessionId })
              }),
              ({ entity }) => entity.id
            )
          : Effect.succeed(attachToEntityId)

      const asAttachment = Effect.fnUntraced(function* (file: FileInput, bytes: Buffer) {
        const declared = file.mimeType.toLowerCase()
        const found = imageTypeOf(bytes)
        if (found === null && /^image\/(?:png|jpeg|gif|webp)$/.test(declared)) {
          return yield* new Media({
            why: `The content of the file is not ${declared}, although \`mimeType\` or the file name says so. Send the right \`mimeType\` and file name.`
          })
        }
        const mimeType = found ?? declared
        // The pod writes both the note and the attachment, or neither, because a note without the attachment would be
        // empty. A proposal cannot store the file, so the call fails if one of the two writes needs approval.
        return yield* atomically(
          Effect.gen(function* () {
            const entityId = yield* entityFor(file)
            const { id } = yield* attachments.addFile(entityId, { bytes, mimeType, fileName: file.filename })
            return { storedAs: "attachment" as const, documentId: null, attachmentId: id, entityId, isKnown: false }
          }).pipe(Effect.catchTag("Proposed", () => Effect.fail(cannotWait)))
        )
      })

      return {
        store: Effect.fnUntraced(function* (file) {
          const bytes = yield* bytesOf(file)
          const type = documentTypeOf(file.mimeType)
          const text = type !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined
          const stored =
            type !== undefined && text !== undefined && text.length <= contentMax && !text.includes("\0")
              ? yield* asDocument(file, text, type)
              : yield* asAttachment(file, bytes)
          return { ...stored, sizeBytes: bytes.length }
        })
      }
    })
  )
}
