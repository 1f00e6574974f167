/** The REST endpoint of keys: a key can read its own record, but no other key. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { self } from "../../doors/Door.ts"
import { PersonId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { KeyType } from "./Key.ts"

const KeyStatus = Schema.Struct({
  keyId: described("The id of the key. It is not secret.", Schema.UUID),
  keyIdPrefix: described("The first eight characters of the key's id.", Schema.String),
  userId: PersonId,
  userEmail: described("The address of its person.", Schema.NullOr(Schema.String)),
  userName: described("The name of its person.", Schema.NullOr(Schema.String)),
  name: Schema.NullOr(Schema.String),
  scopes: described("The surfaces that it may call.", Schema.Array(Schema.String)),
  createdAt: Timestamp,
  expiresAt: described("When it expires; null: never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("When it was last used; null: never.", Schema.NullOr(Timestamp)),
  parentKeyId: described("The key that it replaced.", Schema.NullOr(Schema.UUID)),
  isActive: described("Whether it can be used now.", Schema.Boolean),
  keyType: described("The type of the key: a person's, an agent's, a service's or the system's.", KeyType),
  workspaceId: Schema.NullOr(WorkspaceId),
  summary: described("What the key may do, in one sentence.", Schema.String)
}).annotations({ identifier: "KeyStatus" })

export const KeyApi = HttpApiGroup.make("keys")
  .annotate(OpenApi.Description, "What a key can read about itself. Keys are created and revoked over `/trpc`.")
  .add(
    read("auth.status", {
      path: "/auth/status",
      success: KeyStatus,
      errors: [NotFound],
      door: self("hub-protocol.read"),
      summary: "Read the key that makes this call. Only for keys, not for sessions."
    })
  )
