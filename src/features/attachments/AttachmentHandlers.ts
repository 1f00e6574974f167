/** The handlers of attachments: they translate between the Hub endpoints and the service. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { AttachmentApi } from "./AttachmentApi.ts"
import { Attachments } from "./Attachments.ts"

export const layer = implement(
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
