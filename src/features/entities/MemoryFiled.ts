/** Where the twins in memory keep which entity is filed in which project: in one place, as the table is one. */
import { Context, type DateTime, Effect, Layer, Ref } from "effect"

export interface FiledEntity {
  readonly id: string
  /** The space of the entity; the project may live in another. */
  readonly spaceId: string
  readonly entityId: string
  readonly projectId: string
  readonly userId: string
  readonly createdAt: DateTime.Utc
}

export class MemoryFiled extends Context.Tag("pod/MemoryFiled")<
  MemoryFiled,
  { readonly kept: Ref.Ref<ReadonlyArray<FiledEntity>> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Ref.make<ReadonlyArray<FiledEntity>>([]), (kept) => ({ kept }))
  )
}
