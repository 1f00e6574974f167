/** An attachment of an entity: a picture, or another entity that represents a file. */
import { Schema } from "effect"
import { example, PersonId, CallerId, described, optionalOrNull, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const metadata = {
  id: Id,
  entityId: Id,
  userId: PersonId,
  fileName: Schema.NullOr(Schema.String),
  mimeType: described(
    "Media type of the picture. For a file, `mimeType`, `sizeBytes` and `sha256` are null.",
    Schema.NullOr(Schema.String)
  ),
  sizeBytes: Schema.NullOr(Schema.Number),
  sha256: described("SHA-256 of the picture in lower-case hexadecimal.", Schema.NullOr(Schema.String)),
  fileEntityId: described("Id of the entity that stands for the file; null for a picture.", Schema.NullOr(Id)),
  createdAt: Timestamp
}

export const Attachment = Schema.Struct(metadata).annotations({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

/** An attachment together with the picture itself, in base64. */
export const AttachmentContent = Schema.Struct({
  ...metadata,
  data: described("Picture in base64; null for a file.", Schema.NullOr(Schema.String))
}).annotations({
  identifier: "AttachmentContent"
})

export const AttachmentDraft = example(
  Schema.Struct({
    userId: Schema.optional(CallerId),
    data: described(
      "Picture in base64, with or without a data URL prefix. Send either this field or `fileEntityId`.",
      Schema.optional(Schema.String)
    ),
    fileName: optionalOrNull(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
    mimeType: described(
      "Ignored: the pod reads the type from the bytes of the picture.",
      Schema.optional(Schema.String)
    ),
    fileEntityId: described("Id of an entity that stands for a file and that the caller may read.", Schema.optional(Id))
  }).annotations({ identifier: "AttachmentDraft" }),
  {
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
    fileName: "dot.png"
  }
)
export type AttachmentDraft = typeof AttachmentDraft.Type

export interface NewAttachment extends Omit<Attachment, "userId" | "createdAt"> {
  readonly bytes: Buffer | null
}
