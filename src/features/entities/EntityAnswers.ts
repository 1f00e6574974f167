/** What the surfaces ask and answer about entities beside the entities themselves. */
import { Schema } from "effect"
import { JsonObjectInput } from "../../doors/Fields.ts"
import { Entity, ProfileSlug } from "./Entity.ts"

/** Some fields of an entity. */
export const LeanEntity = Schema.partialWith(Entity, { exact: true }).annotations({ identifier: "LeanEntity" })

const Candidate = Schema.Struct({
  entityId: Schema.UUID,
  title: Schema.String,
  profileSlug: Schema.String,
  /** `strong`: an address or a handle is equal. `weak`: the kind and the name. */
  match: Schema.Literal("strong", "weak"),
  /** What is equal: names of signals, and `title`. */
  on: Schema.Array(Schema.String)
}).annotations({ identifier: "IdentityCandidate" })

export const IdentityInput = Schema.Struct({
  kindSlug: Schema.optional(ProfileSlug),
  title: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  /** `email`, `phone`, `url`, `twitter`, `github`, `externalId`; others are passed over. */
  signals: Schema.optional(JsonObjectInput),
  /** Signals are taken from among these too. */
  properties: Schema.optional(JsonObjectInput),
  workspaceId: Schema.optional(Schema.UUID)
})

export const IdentityAnswer = Schema.Struct({
  match: Schema.Literal("strong", "weak", "none"),
  /** Left out when none matches, or when several do equally well. */
  entityId: Schema.optional(Schema.UUID),
  /** Best first. */
  candidates: Schema.Array(Candidate)
})

/** How a new entity stands to those that were there. */
const Resolution = Schema.Struct({
  existingSameProfile: Schema.NullOr(Candidate),
  autoConnected: Schema.Array(Candidate),
  suggestions: Schema.Array(Candidate)
}).annotations({ identifier: "EntityResolution" })

export const Written = Schema.extend(
  Entity,
  Schema.Struct({
    /** `created`, `updated`; `proposed` when a person has to approve it first. */
    status: Schema.Literal("created", "updated"),
    effectiveWorkspaceId: Schema.NullOr(Schema.UUID),
    writeReceipt: Schema.Struct({ state: Schema.Literal("applied") }),
    /** Of a create alone. */
    resolution: Schema.optional(Resolution)
  })
).annotations({ identifier: "EntityWritten" })
export type Written = typeof Written.Type
