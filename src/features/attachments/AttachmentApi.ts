/** The Hub endpoints for the pictures and files of entities. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { fullGrantInSpaces, writes } from "../../doors/Door.ts"
import { described, idPath } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { Attachment, AttachmentContent, AttachmentDraft } from "./Attachment.ts"

const readDoor = fullGrantInSpaces("hub-protocol.read")

export const AttachmentApi = HttpApiGroup.make("attachments")
  .annotate(OpenApi.Description, "Pictures and files that belong to an entity.")
  .add(
    read("attachments.list", {
      path: "/entities/:id/attachments",
      params: idPath,
      success: Schema.Array(Attachment),
      errors: [NotFound],
      door: readDoor,
      summary: "List the attachments of an entity, latest first, without the data of the pictures."
    })
  )
  .add(
    read("attachments.get", {
      path: "/entities/:id/attachments/:attachmentId",
      params: Schema.Struct({ id: Id, attachmentId: described("Id of the attachment.", Id) }),
      success: AttachmentContent,
      errors: [NotFound],
      door: readDoor,
      summary: "Read one attachment with its picture in base64."
    })
  )
  .add(
    write("attachments.create", {
      method: "POST",
      path: "/entities/:id/attachments",
      params: idPath,
      payload: AttachmentDraft,
      success: Attachment,
      door: writes("hub-protocol.write", "entity", ["update"]),
      summary:
        "Attach a picture (PNG, JPEG, GIF or WebP, up to 10 MB) or a file to an entity. A file is an entity of its own."
    })
  )
