/**
 * The service of attachments: pictures and files of an entity. The rules for a change of the entity also decide whether
 * a caller may add an attachment.
 */
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { spaceOf } from "../../doors/OwnSpace.ts"
import { type WriteRefusal, invalid, NotFound, type TooLarge, type UnsupportedMedia } from "../../doors/Failure.ts"
import type { Proposed } from "../../doors/Proposed.ts"
import { Reach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"
import { GovernanceGate } from "../gate/GovernanceGate.ts"
import { objectIn } from "../gate/Write.ts"
import type { Attachment, AttachmentDraft, NewAttachment } from "./Attachment.ts"
import { AttachmentStore } from "./AttachmentStore.ts"
import type { StoredAttachment } from "./AttachmentTable.ts"
import { eventOf } from "../entities/EntityContents.ts"
import { entityOrMissing } from "../entities/Entity.ts"
import { Entities } from "../entities/Entities.ts"
import { imageOf } from "./ImageBytes.ts"

const entityMissing = missingRecord("entity")

export interface FileContent {
  readonly fileName: string
  readonly mimeType: string
  readonly bytes: Buffer
}

/** The content of an attachment: the bytes of a picture, or the id of an entity that represents a file. */
type FileContents = Pick<NewAttachment, "bytes" | "mimeType" | "sizeBytes" | "sha256" | "fileEntityId">

const substanceOfBytes = ({ bytes, mimeType }: Pick<FileContent, "bytes" | "mimeType">): FileContents => ({
  bytes,
  mimeType,
  sizeBytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  fileEntityId: null
})

export class Attachments extends Context.Tag("pod/Attachments")<
  Attachments,
  {
    /** Lists the attachments of an entity, latest first. Fails with NotFound if the caller cannot read the entity. */
    readonly list: (entityId: string) => Effect.Effect<ReadonlyArray<Attachment>, NotFound, Reach>
    readonly get: (entityId: string, id: string) => Effect.Effect<StoredAttachment, NotFound, Reach>
    /**
     * Adds an attachment. The caller needs the permission to update the entity. A proposal cannot store the bytes, so
     * the pod refuses an agent whose changes need approval. Fails with TooLarge above 10 MB, and with UnsupportedMedia
     * for bytes that are not a picture. Fails with NotFound for an entity or a file that the caller cannot read, and
     * for a file of another space.
     */
    readonly add: (
      entityId: string,
      draft: AttachmentDraft
    ) => Effect.Effect<Attachment, WriteRefusal | TooLarge | UnsupportedMedia | Proposed, Reach>
    /**
     * Adds a file of any type to an entity. The caller needs the permission to update the entity. This method does not
     * check the size of the file, so the calling code must check the size first.
     */
    readonly addFile: (
      entityId: string,
      file: FileContent
    ) => Effect.Effect<Attachment, WriteRefusal | TooLarge | UnsupportedMedia | Proposed, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* AttachmentStore
      const entities = yield* Entities
      const gate = yield* GovernanceGate

      const isRead = (id: string) => entityOrMissing(entities.get(id))

      const substanceOf =
        ({ data, fileEntityId }: AttachmentDraft) =>
        (spaceId: string) =>
          Effect.gen(function* () {
            if (data !== undefined && fileEntityId === undefined) return substanceOfBytes(yield* imageOf(data))
            if (data !== undefined || fileEntityId === undefined) {
              return yield* invalid("data", "Send either `data` (a picture in base64) or `fileEntityId`.")
            }
            // The attachment contains the id of the file. Everybody who can read the entity can also read this id. So
            // the pod treats a file of another space as if the file did not exist.
            if (spaceOf(yield* isRead(fileEntityId)) !== spaceId) return yield* entityMissing
            return { bytes: null, mimeType: null, sizeBytes: null, sha256: null, fileEntityId } satisfies FileContents
          })

      const attached = <E>(
        entityId: string,
        fileName: string | null,
        content: (spaceId: string) => Effect.Effect<FileContents, E, Reach>
      ): Effect.Effect<Attachment, E | WriteRefusal | Proposed, Reach> =>
        Effect.gen(function* () {
          const { principal } = yield* Reach
          const { entity, projectIds, spaceId } = yield* entityOrMissing(entities.locate(entityId, "update"))
          const write = {
            subject: "entity" as const,
            kind: entity.profileSlug,
            action: "update" as const,
            object: objectIn(principal.personId, spaceId, entity.id, projectIds)
          }
          yield* gate.refuse(write)
          const substance = yield* content(spaceId)
          const passed = yield* gate.pass(write)
          const id = uuidv7()
          const { fileEntityId, mimeType, sha256, sizeBytes } = substance
          const attachment = { id, fileEntityId, mimeType, sha256, sizeBytes }
          return yield* entityOrMissing(
            store.add(
              { id, entityId, fileName, ...substance },
              eventOf("update", entityId, entity.profileSlug, { attachment }),
              passed
            )
          )
        })

      return {
        list: (entityId) => Effect.zipRight(isRead(entityId), store.list(entityId)),
        get: (entityId, id) =>
          Effect.filterOrFail(
            store.get(entityId, id),
            (found): found is StoredAttachment => found !== undefined,
            () => missingRecord("attachment")
          ),
        add: (entityId, draft) => attached(entityId, draft.fileName ?? null, substanceOf(draft)),
        addFile: (entityId, { bytes, fileName, mimeType }) =>
          attached(entityId, fileName, () => Effect.succeed(substanceOfBytes({ bytes, mimeType })))
      }
    })
  )
}
