/** The table of attachments for the store in memory. */
import { memoryTable } from "../../platform/MemoryDatabase.ts"
import type { Attachment } from "./Attachment.ts"

export interface StoredAttachment {
  readonly attachment: Attachment
  readonly bytes: Buffer | null
}

export const attachmentTable = memoryTable<StoredAttachment>("attachments", ({ attachment }) => attachment.id)
