/** Where attachments are kept. Each is read and written with its entity, within the call's Reach to that. */
import { Context, DateTime, Effect, Layer, Ref } from "effect"
import { Reach } from "../../doors/Reach.ts"
import type { EventDraft } from "../events/Event.ts"
import type { Passed } from "../gate/Passed.ts"
import { MemoryEvents } from "../events/EventLog.ts"
import type { Attachment, NewAttachment } from "./Attachment.ts"
import { EntityNotFound } from "../entities/Entity.ts"
import { EntityStore } from "../entities/EntityStore.ts"

export const attachmentsMost = 200 // of one entity, as a listing answers them

export interface StoredAttachment {
  readonly attachment: Attachment
  readonly bytes: Buffer | null
}

export class AttachmentStore extends Context.Tag("pod/AttachmentStore")<
  AttachmentStore,
  {
    /** Latest first, without their bytes. Empty where there is no such entity for this caller. */
    readonly list: (entityId: string) => Effect.Effect<ReadonlyArray<Attachment>, never, Reach>
    readonly get: (entityId: string, id: string) => Effect.Effect<StoredAttachment | undefined, never, Reach>
    /** Fails where the call may not change the entity. */
    readonly add: (
      made: NewAttachment,
      event: EventDraft,
      passed: Passed
    ) => Effect.Effect<Attachment, EntityNotFound, Reach>
  }
>() {
  static readonly layerMemory = Layer.effect(
    this,
    Effect.gen(function* () {
      const entities = yield* EntityStore
      const { append } = yield* MemoryEvents
      const kept = yield* Ref.make<ReadonlyArray<StoredAttachment>>([])
      const of = (entityId: string) =>
        Effect.matchEffect(entities.get(entityId), {
          onFailure: () => Effect.succeed([]),
          onSuccess: () =>
            Effect.map(Ref.get(kept), (all) =>
              all
                .filter(({ attachment }) => attachment.entityId === entityId)
                .toSorted(({ attachment: one }, { attachment: other }) => (one.id < other.id ? 1 : -1))
            )
        })
      return {
        list: (entityId) =>
          Effect.map(of(entityId), (all) => all.slice(0, attachmentsMost).map(({ attachment }) => attachment)),
        get: (entityId, id) => Effect.map(of(entityId), (all) => all.find(({ attachment }) => attachment.id === id)),
        add: ({ bytes, ...made }, event, passed) =>
          Effect.gen(function* () {
            const reach = yield* Reach
            const { entity, spaceId } = yield* entities.place(made.entityId, "update")
            const { kinds, spaces } = reach.bounds("entity", "update")
            if (!spaces.includes(spaceId) || (kinds !== null && !kinds.includes(entity.profileSlug))) {
              return yield* new EntityNotFound({ id: made.entityId })
            }
            const attachment = { ...made, userId: reach.principal.personId, createdAt: yield* DateTime.now }
            yield* Ref.update(kept, (all) => [...all, { attachment, bytes }])
            yield* append(reach, spaceId, event, passed)
            return attachment
          })
      }
    })
  )
}
