/** The store of attachments. A call reads and writes only attachments of entities that the call may read or change. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import { newestFirst } from "../../doors/RowOrder.ts"
import { EntityNotFound } from "../entities/Entity.ts"
import { entityAt } from "../entities/EntityTable.ts"
import type { EventDraft } from "../events/Event.ts"
import { memoryStatements } from "../events/EventTable.ts"
import type { Passed } from "../gate/Passed.ts"
import type { Attachment, NewAttachment } from "./Attachment.ts"
import { attachmentTable, type StoredAttachment } from "./AttachmentTable.ts"

export const attachmentsMax = 200 // the maximum number of attachments of one entity that a list contains

export class AttachmentStore extends Context.Tag("pod/AttachmentStore")<
  AttachmentStore,
  {
    /**
     * Lists the attachments of an entity, latest first, without their bytes. Returns no attachments if the caller
     * cannot read the entity.
     */
    readonly list: (entityId: string) => Effect.Effect<ReadonlyArray<Attachment>, never, Reach>
    readonly get: (entityId: string, id: string) => Effect.Effect<StoredAttachment | undefined, never, Reach>
    /** Adds an attachment. Fails if the call is not allowed to change the entity. */
    readonly add: (
      attachment: NewAttachment,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Attachment, EntityNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.map(memoryStatements, ({ read, write }) => {
      const of = (entityId: string) =>
        read(({ reach, rows }) =>
          Effect.succeed(
            entityAt(rows, reach.bounds("entity", "read"), entityId) === undefined
              ? []
              : rows.all(attachmentTable).filter(({ attachment }) => attachment.entityId === entityId)
          )
        )
      return {
        list: (entityId) =>
          Effect.map(of(entityId), (all) =>
            all
              .map(({ attachment }) => attachment)
              .toSorted(newestFirst)
              .slice(0, attachmentsMax)
          ),
        get: (entityId, id) => Effect.map(of(entityId), (all) => all.find(({ attachment }) => attachment.id === id)),
        add: ({ bytes, ...fields }, event, passed) =>
          write(({ append, now, reach, rows }) => {
            const found = entityAt(rows, reach.bounds("entity", "update"), fields.entityId)
            if (found === undefined) return new EntityNotFound({ id: fields.entityId })
            const attachment = { ...fields, userId: reach.principal.personId, createdAt: now }
            rows.put(attachmentTable, { attachment, bytes })
            append(found.spaceId, event, passed)
            return Effect.succeed(attachment)
          })
      }
    })
  )
}
