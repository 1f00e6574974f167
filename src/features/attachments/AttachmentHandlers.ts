/**
 * The handlers of attachments. They convert the requests of endpoints and tools to calls of the services, and the
 * results to answers.
 */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { repeatableTool } from "../../doors/RepeatableTool.ts"
import { AttachmentApi } from "./AttachmentApi.ts"
import { Attachments } from "./Attachments.ts"
import { FileTools, StoredFile } from "./FileTools.ts"
import { StoredFiles } from "./StoredFiles.ts"

const rest = implement(
  AttachmentApi,
  Effect.map(Attachments, (attachments) => ({
    "attachments.list": ({ path }) => attachments.list(path.id),
    "attachments.get": ({ path }) =>
      Effect.map(attachments.get(path.id, path.attachmentId), ({ attachment, bytes }) => ({
        ...attachment,
        data: bytes === null ? null : bytes.toString("base64")
      })),
    "attachments.create": ({ path, payload }) => attachments.add(path.id, payload)
  }))
)

const tools = implementTools(
  FileTools,
  Effect.map(Effect.all([StoredFiles, repeatableTool]), ([files, once]) => ({
    svc_store_file: ({ idempotencyKey: key, ...file }) => {
      const stored = files.store(file)
      if (key === undefined) return stored
      return Effect.map(
        once({ tool: "svc_store_file", key, input: file, schema: StoredFile }, stored),
        ({ result: file }) => file
      )
    }
  }))
)

export const layer = Layer.merge(rest, tools)
