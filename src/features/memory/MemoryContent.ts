/** The content of each kind of change of memory facts, in the form that a proposal stores. */
import { Schema } from "effect"
import { described, TimestampInput, nullByDefault } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { dimensions, idsMax, Level, SourceId, text, textMax } from "./MemoryFact.ts"
import { TurnRole, Target } from "./MemoryDraft.ts"
import { floatsOf } from "../search/vectors/PackedVector.ts"

const ids = Schema.optionalWith(Schema.Array(Id).pipe(Schema.maxItems(idsMax)), { default: () => [] })

/**
 * A fact to remember. The pod adds a prefix, such as the name of the session, to the content of facts of some levels.
 * The pod also gives a number to each turn.
 */
export const NewFact = Schema.Struct({
  id: Schema.optional(Id),
  level: Schema.optionalWith(Level, { default: () => "fact" as const }),
  content: text(1, textMax * 2),
  confidence: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 1)), { default: () => 0.8 }),
  sessionId: nullByDefault(text(1, 255)),
  role: nullByDefault(TurnRole),
  saidAt: nullByDefault(TimestampInput),
  validFrom: nullByDefault(TimestampInput),
  target: nullByDefault(Target),
  replaces: described("Ids of the facts that the new fact replaces.", ids),
  sourceEntityId: nullByDefault(SourceId),
  sourceMessageId: nullByDefault(SourceId)
})
export type NewFact = typeof NewFact.Type

const vectorForm = Schema.String.pipe(
  Schema.filter(
    (value) =>
      Buffer.from(value, "base64").length === 4 * dimensions ||
      "This text is not a vector. Send 32-bit floats (little-endian) in base64."
  )
)

/** The content of a change that creates facts. It can also name facts to forget in the same write. */
export const MemoryContent = Schema.Struct({
  facts: Schema.Array(NewFact).pipe(Schema.minItems(1), Schema.maxItems(idsMax)),
  forgets: ids,
  imported: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  vector: described("Embedding of the facts: little-endian 32-bit floats in base64.", nullByDefault(vectorForm))
})
export type MemoryContent = typeof MemoryContent.Type
export type MemoryContentJson = typeof MemoryContent.Encoded

/** The content of a change that forgets its target fact. `ids` can name further facts to forget. */
export const ForgetContent = Schema.Struct({ ids })

/**
 * The content of a change that restores a fact (`isHeld` is true) or ends a fact (`isHeld` is false).
 */
export const HoldContent = Schema.Struct({ isHeld: Schema.Boolean })

export const vectorOf = (form: string | null): ReadonlyArray<number> | undefined =>
  form === null ? undefined : [...floatsOf(Buffer.from(form, "base64"))]
