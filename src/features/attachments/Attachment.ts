/** An attachment: a picture of an entity, or the entity of a file that belongs to it. */
import { Schema } from "effect"
import { optionalOrNull, Timestamp } from "../../doors/Fields.ts"

const metadata = {
  id: Schema.UUID,
  entityId: Schema.UUID,
  userId: Schema.UUID,
  fileName: Schema.NullOr(Schema.String),
  /** Of a picture. The four fields are null where the attachment is the entity of a file. */
  mimeType: Schema.NullOr(Schema.String),
  sizeBytes: Schema.NullOr(Schema.Number),
  /** Lower-case hexadecimal. */
  sha256: Schema.NullOr(Schema.String),
  fileEntityId: Schema.NullOr(Schema.UUID),
  createdAt: Timestamp
}

export const Attachment = Schema.Struct(metadata).annotations({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

/** With the picture itself, in base64. */
export const AttachmentContent = Schema.Struct({ ...metadata, data: Schema.NullOr(Schema.String) }).annotations({
  identifier: "AttachmentContent"
})

export const AttachmentDraft = Schema.Struct({
  userId: Schema.optional(Schema.String),
  /** A picture in base64, with or without the head of a data URL; or fileEntityId. */
  data: Schema.optional(Schema.String),
  fileName: optionalOrNull(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(255))),
  /** For older clients: what the picture is, its bytes say. */
  mimeType: Schema.optional(Schema.String),
  /** An entity of a file that the caller reads. */
  fileEntityId: Schema.optional(Schema.UUID)
}).annotations({ identifier: "AttachmentDraft" })
export type AttachmentDraft = typeof AttachmentDraft.Type

export interface NewAttachment extends Omit<Attachment, "userId" | "createdAt"> {
  readonly bytes: Buffer | null
}
