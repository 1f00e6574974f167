/** The handlers of attachments: they translate between endpoints and tools, and the services. */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { AttachmentApi } from "./AttachmentApi.ts"
import { Attachments } from "./Attachments.ts"
import { FileTools } from "./FileTools.ts"
import { StoredFiles } from "./StoredFiles.ts"

const rest = implement(
  AttachmentApi,
  Effect.map(Attachments, (kept) => ({
    "attachments.list": ({ path }) => kept.list(path.id),
    "attachments.get": ({ path }) =>
      Effect.map(kept.get(path.id, path.attachmentId), ({ attachment, bytes }) => ({
        ...attachment,
        data: bytes === null ? null : bytes.toString("base64")
      })),
    "attachments.create": ({ path, payload }) => kept.add(path.id, payload)
  }))
)

const tools = implementTools(
  FileTools,
  Effect.map(StoredFiles, (files) => ({ svc_store_file: files.store }))
)

export const layer = Layer.merge(rest, tools)
