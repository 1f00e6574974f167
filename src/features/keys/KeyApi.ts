/** What the Hub opens of keys: a key may look at itself, and at no other. */
import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/Declare.ts"
import { self } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Timestamp } from "../../doors/Fields.ts"
import { KeyType } from "./Key.ts"

const KeyStatus = Schema.Struct({
  keyId: Schema.UUID,
  keyIdPrefix: Schema.String,
  userId: Schema.UUID,
  userEmail: Schema.NullOr(Schema.String),
  userName: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  createdAt: Timestamp,
  expiresAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp),
  parentKeyId: Schema.NullOr(Schema.UUID),
  isActive: Schema.Boolean,
  keyType: KeyType,
  workspaceId: Schema.NullOr(Schema.UUID),
  /** One sentence: what the key may touch. */
  summary: Schema.String
}).annotations({ identifier: "KeyStatus" })

export const KeyApi = HttpApiGroup.make("keys").add(
  read("auth.status", {
    path: "/auth/status",
    success: KeyStatus,
    door: self("hub-protocol.read"),
    errors: [NotFound],
    summary: "What the pod knows of the key that asks. For keys only."
  })
)
