/** Inputs and answers about entities, other than the entities themselves. */
import { Schema } from "effect"
import { WorkspaceId, described, JsonObjectInput } from "../../doors/Fields.ts"
import { Entity, ProfileSlug } from "./Entity.ts"

/** Some fields of an entity. */
export const LeanEntity = Schema.partialWith(Entity, { exact: true }).annotations({ identifier: "LeanEntity" })

const Candidate = Schema.Struct({
  entityId: described("The entity it is about.", Schema.UUID),
  title: Schema.String,
  profileSlug: described("Its kind: the slug of a profile.", Schema.String),
  match: described(
    "`strong`: an address or a handle is equal. `weak`: the kind and the name are equal.",
    Schema.Literal("strong", "weak")
  ),
  on: described("What is equal: names of signals, and `title`.", Schema.Array(Schema.String))
}).annotations({ identifier: "IdentityCandidate" })

export const IdentityInput = Schema.Struct({
  kindSlug: described("Its kind.", Schema.optional(ProfileSlug)),
  title: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  signals: described(
    "`email`, `phone`, `url`, `twitter`, `github`, `externalId`; others are ignored.",
    Schema.optional(JsonObjectInput)
  ),
  properties: described("Signals among these are used too.", Schema.optional(JsonObjectInput)),
  workspaceId: Schema.optional(WorkspaceId)
})

export const IdentityAnswer = Schema.Struct({
  match: described("How well it fits.", Schema.Literal("strong", "weak", "none")),
  entityId: described(
    "Left out when no entity matches, or when several match equally well.",
    Schema.optional(Schema.UUID)
  ),
  candidates: described("Best first.", Schema.Array(Candidate))
})

/** How a new entity relates to existing ones. */
const Resolution = Schema.Struct({
  existingSameProfile: described("Others of this kind that look the same.", Schema.NullOr(Candidate)),
  autoConnected: described("The entities that the pod connected it to.", Schema.Array(Candidate)),
  suggestions: described("The entities that may be related to it.", Schema.Array(Candidate))
}).annotations({ identifier: "EntityResolution" })

export const WrittenEntity = Schema.extend(
  Entity,
  Schema.Struct({
    status: described(
      "`created`, `updated`; `proposed` when a person has to approve it first.",
      Schema.Literal("created", "updated")
    ),
    effectiveWorkspaceId: described("Where it was written; null: the person's own space.", Schema.NullOr(Schema.UUID)),
    writeReceipt: described(
      "The result of the write.",
      Schema.Struct({ state: described("`applied`: the write was carried out.", Schema.Literal("applied")) })
    ),
    resolution: described("Only in the answer to a create.", Schema.optional(Resolution))
  })
).annotations({ identifier: "EntityWritten" })
export type WrittenEntity = typeof WrittenEntity.Type
