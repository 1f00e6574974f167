/**
 * The procedures of keys. Only a sign-in session is allowed to call them, so a key cannot create, change or list keys.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { pageOf } from "../../doors/Page.ts"
import { mutation, query } from "../../doors/DeclareProcedure.ts"
import { signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { ToolProfile } from "../../doors/ToolProfile.ts"
import { ConnectionPage, Key, KeyPage, SystemKeyPage } from "./Key.ts"
import { KeyName, KeyRequest, WorkspaceKeyRequest } from "./MintRequest.ts"

const door = signedIn

const MintedKeyAnswer = Schema.Struct({
  id: Id,
  key: described("Secret key. Only this answer contains the secret.", Schema.String),
  keyPrefix: described("First characters of the secret.", Schema.String),
  keyName: described("Name that the owner gave the key.", Schema.String),
  scope: described("Scopes of the key: which operations the key may call.", Schema.Array(Schema.String)),
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp)),
  summary: Schema.String,
  status: Schema.Literal("created", "rotated"),
  message: described("A note for people about how to store the key.", Schema.String)
})

const RevokedKeyAnswer = Schema.Struct({
  status: Schema.Literal("revoked"),
  keyId: described("Id of the key. The id is not secret.", Id),
  revokedAt: described(
    "Time when the key was revoked; null means that the key is not revoked.",
    Schema.NullOr(Timestamp)
  )
})

const Connection = Schema.Struct({
  keyId: described("Id of the key. The id is not secret.", Id),
  name: Schema.String,
  heldBy: described("Type of the holder of the key.", Schema.Literal("person", "agent", "app")),
  holderName: described(
    "Name of the agent or app that holds the key; null for the person.",
    Schema.NullOr(Schema.String)
  ),
  summary: described("A sentence for people about what the key may do.", Schema.String),
  scope: described("Scopes of the key: which operations the key may call.", Schema.Array(Schema.String)),
  toolProfile: described("Which MCP tools the key has; null means all.", Schema.NullOr(ToolProfile)),
  isActive: described("Whether the key works now.", Schema.Boolean),
  expiresAt: described("Time when the key expires; null means never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("Time of the last use of the key; null means never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "Connection" })

export const KeyProcedures = RpcGroup.make(
  mutation("apiKeys.create", {
    about: "agentUserId",
    input: KeyRequest,
    success: MintedKeyAnswer,
    door,
    answersSecret: true,
    summary: "Create a key; only this answer contains its secret."
  }),
  mutation("apiKeys.createForWorkspace", {
    about: "agentUserId",
    input: WorkspaceKeyRequest,
    success: MintedKeyAnswer,
    door,
    answersSecret: true,
    summary: "Create a key that is limited to one workspace; only this answer contains its secret."
  }),
  query("apiKeys.list", {
    input: KeyPage,
    success: pageOf(Key),
    door,
    summary: "List your keys and the keys of your agents, newest first."
  }),
  mutation("apiKeys.rename", {
    input: Schema.Struct({
      keyId: described("Id of the key. The id is not secret.", Id),
      keyName: described("Name that the owner gave the key.", KeyName)
    }),
    success: Key,
    door,
    summary: "Change the name of a key. The secret and the rights of the key stay the same."
  }),
  mutation("apiKeys.revoke", {
    input: Schema.Struct({
      keyId: described("Id of the key. The id is not secret.", Id),
      reason: described(
        "Why you revoke the key, as a sentence for people.",
        Schema.optional(Schema.String.pipe(Schema.maxLength(500)))
      )
    }),
    success: RevokedKeyAnswer,
    door,
    summary: "Revoke a key. The key stops working, and after this answer no call with it can write anything."
  }),
  mutation("apiKeys.rotate", {
    input: Schema.Struct({
      keyId: described("Id of the key. The id is not secret.", Id),
      overlapSeconds: described(
        "How many seconds the old key stays valid beside the new key.",
        Schema.optionalWith(Schema.Int, { default: () => 0 })
      )
    }),
    success: MintedKeyAnswer,
    door,
    answersSecret: true,
    summary: "Replace a key with a new one that has the same grant, scopes and expiry."
  }),
  query("connections.list", {
    input: ConnectionPage,
    success: pageOf(Connection),
    door,
    summary:
      "List the connections to your pod: your keys and the keys of your agents and apps, each with what the key may do."
  }),
  mutation("connections.revoke", {
    input: Schema.Struct({
      keyId: described("Id of the key. The id is not secret.", Id),
      reason: described(
        "Why you end the connection, as a sentence for people.",
        Schema.optional(Schema.String.pipe(Schema.maxLength(500)))
      )
    }),
    success: RevokedKeyAnswer,
    door,
    summary: "End a connection. Its key stops working, and after this answer no call with the key can write anything."
  }),
  query("apiKeys.listSystemKeys", {
    input: SystemKeyPage,
    success: pageOf(Key),
    door,
    summary:
      "List the service and system keys of the pod, newest first. Only for the owner and the administrators of the pod. " +
      "For keys of other people, the answer leaves out the access role and the ids of projects and records; `summary` has the number of these limits."
  })
)
