/** What the surfaces ask and answer about entities beside the entities themselves. */
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
    "`strong`: an address or a handle is equal. `weak`: the kind and the name.",
    Schema.Literal("strong", "weak")
  ),
  on: described("What is equal: names of signals, and `title`.", Schema.Array(Schema.String))
}).annotations({ identifier: "IdentityCandidate" })

export const IdentityInput = Schema.Struct({
  kindSlug: described("Its kind.", Schema.optional(ProfileSlug)),
  title: Schema.optional(Schema.String.pipe(Schema.maxLength(500))),
  signals: described(
    "`email`, `phone`, `url`, `twitter`, `github`, `externalId`; others are passed over.",
    Schema.optional(JsonObjectInput)
  ),
  properties: described("Signals are taken from among these too.", Schema.optional(JsonObjectInput)),
  workspaceId: Schema.optional(WorkspaceId)
})

export const IdentityAnswer = Schema.Struct({
  match: described("How well it fits.", Schema.Literal("strong", "weak", "none")),
  entityId: described("Left out when none matches, or when several do equally well.", Schema.optional(Schema.UUID)),
  candidates: described("Best first.", Schema.Array(Candidate))
})

/** How a new entity stands to those that were there. */
const Resolution = Schema.Struct({
  existingSameProfile: described("Others of this kind that look the same.", Schema.NullOr(Candidate)),
  autoConnected: described("What it was related to on the way.", Schema.Array(Candidate)),
  suggestions: described("What it may have to do with.", Schema.Array(Candidate))
}).annotations({ identifier: "EntityResolution" })

export const Written = Schema.extend(
  Entity,
  Schema.Struct({
    status: described(
      "`created`, `updated`; `proposed` when a person has to approve it first.",
      Schema.Literal("created", "updated")
    ),
    effectiveWorkspaceId: described("Where it was written; null: the person's own space.", Schema.NullOr(Schema.UUID)),
    writeReceipt: described(
      "What the write came to.",
      Schema.Struct({ state: described("How far it has come.", Schema.Literal("applied")) })
    ),
    resolution: described("Of a create alone.", Schema.optional(Resolution))
  })
).annotations({ identifier: "EntityWritten" })
export type Written = typeof Written.Type
