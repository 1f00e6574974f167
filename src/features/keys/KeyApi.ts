/** The REST endpoint of keys. A key can read its own record, but no other key. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import { self } from "../../doors/Door.ts"
import { PersonId, WorkspaceId, described, Timestamp } from "../../doors/Fields.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { ToolProfile } from "../../doors/ToolProfile.ts"
import { KeyType } from "./Key.ts"

const KeyStatus = Schema.Struct({
  keyId: described("Id of the key. The id is not secret.", Id),
  keyIdPrefix: described("First eight characters of the key's id.", Schema.String),
  userId: PersonId,
  userEmail: described("E-mail address of the key's owner.", Schema.NullOr(Schema.String)),
  userName: described("Name of the key's owner.", Schema.NullOr(Schema.String)),
  name: Schema.NullOr(Schema.String),
  scopes: described("Scopes of the key: which operations the key may call.", Schema.Array(Schema.String)),
  createdAt: Timestamp,
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("Time of the last use of the key; null means never.", Schema.NullOr(Timestamp)),
  parentKeyId: described("Id of the key that this key replaced.", Schema.NullOr(Id)),
  isActive: described("Whether the key works now.", Schema.Boolean),
  keyType: described("Type of the key: for a person, an agent, a service or the system.", KeyType),
  workspaceId: Schema.NullOr(WorkspaceId),
  toolProfile: described("Which MCP tools the key has; null means all.", Schema.NullOr(ToolProfile)),
  summary: described("What the key may do, in one sentence.", Schema.String)
}).annotations({ identifier: "KeyStatus" })

export const KeyApi = HttpApiGroup.make("keys")
  .annotate(OpenApi.Description, "What a key can read about itself. People create and revoke keys over `/trpc`.")
  .add(
    read("auth.status", {
      path: "/auth/status",
      success: KeyStatus,
      errors: [NotFound],
      door: self("hub-protocol.read"),
      summary: "Read the rights and the owner of the key that makes this call. Sessions cannot call this operation."
    })
  )
