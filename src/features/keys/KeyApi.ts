/** What the Hub opens of keys: a key may look at itself, and at no other. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { self } from "../../doors/Door.ts"
import { PersonId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { KeyType } from "./Key.ts"

const KeyStatus = Schema.Struct({
  keyId: described("The id of the key, which is no secret.", Schema.UUID),
  keyIdPrefix: described("The first eight characters of the key's id.", Schema.String),
  userId: PersonId,
  userEmail: described("The address of its person.", Schema.NullOr(Schema.String)),
  userName: described("The name of its person.", Schema.NullOr(Schema.String)),
  name: Schema.NullOr(Schema.String),
  scopes: described("Which surfaces it may call.", Schema.Array(Schema.String)),
  createdAt: Timestamp,
  expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("When it was last used; null: never.", Schema.NullOr(Timestamp)),
  parentKeyId: described("The key it was made from.", Schema.NullOr(Schema.UUID)),
  isActive: described("Whether it opens anything now.", Schema.Boolean),
  keyType: described("Whose it is: a person's, an agent's or a service's.", KeyType),
  workspaceId: Schema.NullOr(WorkspaceId),
  summary: described("One sentence: what the key may touch.", Schema.String)
}).annotations({ identifier: "KeyStatus" })

export const KeyApi = HttpApiGroup.make("keys")
  .annotate(OpenApi.Description, "What a key may know of itself. Keys are made and revoked over `/trpc`.")
  .add(
    read("auth.status", {
      path: "/auth/status",
      success: KeyStatus,
      errors: [NotFound],
      door: self("hub-protocol.read"),
      summary: "What the pod knows of the key that asks. For keys only."
    })
  )
