/** The inputs and answers of operations on entities, except the entity itself. */
import { Schema } from "effect"
import { WorkspaceId, described, JsonObjectInput } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { ProfileSlug } from "../profiles/ProfileSlug.ts"
import { Entity } from "./Entity.ts"

/** An entity in which any fields can be missing. */
export const LeanEntity = Schema.partialWith(Entity, { exact: true }).annotations({ identifier: "LeanEntity" })

const Candidate = Schema.Struct({
  entityId: Id,
  title: Schema.String,
  profileSlug: described("Entity kind (profile slug).", Schema.String),
  match: described(
    "`strong`: an address or a handle is equal. `weak`: the kind and the name are equal.",
    Schema.Literal("strong", "weak")
  ),
  on: described("What is equal, such as `email`; `title` means the name.", Schema.Array(Schema.String))
}).annotations({ identifier: "IdentityCandidate" })

export const IdentityInput = Schema.Struct({
  kindSlug: described("Entity kind (profile slug).", Schema.optional(ProfileSlug)),
  title: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  signals: described(
    "Signals: `email`, `phone`, `url`, `twitter`, `github`, `externalId`. The pod ignores other names.",
    Schema.optional(JsonObjectInput)
  ),
  properties: described(
    "Properties of the entity. The pod compares the signals in these properties too.",
    Schema.optional(JsonObjectInput)
  ),
  workspaceId: Schema.optional(WorkspaceId)
})

export const IdentityAnswer = Schema.Struct({
  match: described("How well the entity fits the request.", Schema.Literal("strong", "weak", "none")),
  entityId: described(
    "Id of the matching entity; absent if none matches, or several match equally well.",
    Schema.optional(Id)
  ),
  candidates: described("Possible matches, best first.", Schema.Array(Candidate))
})

/** The existing entities that seem to be the same as a new entity, or that are linked or possibly related to it. */
const Resolution = Schema.Struct({
  existingSameProfile: described(
    "Entities of the same kind that might be duplicates of the new entity.",
    Schema.NullOr(Candidate)
  ),
  autoConnected: described("Entities to which the pod linked the new entity.", Schema.Array(Candidate)),
  suggestions: described("Entities that might be related to the new entity.", Schema.Array(Candidate))
}).annotations({ identifier: "EntityResolution" })

export const WrittenEntity = Schema.extend(
  Entity,
  Schema.Struct({
    status: described("`created`, or `updated` if the entity existed before.", Schema.Literal("created", "updated")),
    effectiveWorkspaceId: described("Workspace of the entity; null means the personal space.", Schema.NullOr(Id)),
    writeReceipt: described(
      "Result of the write.",
      Schema.Struct({ state: described("`applied`: the pod carried out the write.", Schema.Literal("applied")) })
    ),
    resolution: described(
      "Existing entities that might be the same as the new entity, or related to it. Only after a create.",
      Schema.optional(Resolution)
    )
  })
).annotations({ identifier: "EntityWritten" })
export type WrittenEntity = typeof WrittenEntity.Type
