/** The procedures of keys. Only a sign-in session may call them: a key cannot create, change or list keys. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/Declare.ts"
import { signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Key, KeyPage, KeyRequest } from "./Key.ts"

const door = signedIn

const Minted = Schema.Struct({
  id: Schema.UUID,
  key: described("The secret key. It appears only in this answer.", Schema.String),
  keyPrefix: described("The first characters of the secret.", Schema.String),
  keyName: described("The name that its owner gave it.", Schema.String),
  scope: described("The surfaces that it may call.", Schema.Array(Schema.String)),
  expiresAt: described("When it expires; null: never.", Schema.NullOr(Timestamp)),
  summary: Schema.String,
  status: Schema.Literal("created", "rotated"),
  message: described("A note for people about how to store it.", Schema.String)
})

const Revoked = Schema.Struct({
  status: Schema.Literal("revoked"),
  keyId: described("The id of the key. It is not secret.", Schema.UUID),
  revokedAt: described("When it was revoked; null: not revoked.", Schema.NullOr(Timestamp))
})

const Connection = Schema.Struct({
  keyId: described("The id of the key. It is not secret.", Schema.UUID),
  name: Schema.String,
  heldBy: described("Who holds it.", Schema.Literal("person", "agent", "app")),
  holderName: described("The agent or the app; null for the person.", Schema.NullOr(Schema.String)),
  summary: described("What it may do, in one sentence.", Schema.String),
  scope: described("The surfaces that it may call.", Schema.Array(Schema.String)),
  isActive: described("Whether it can be used now.", Schema.Boolean),
  expiresAt: described("When it expires; null: never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("When it was last used; null: never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "Connection" })

export const KeyProcedures = RpcGroup.make(
  mutation("apiKeys.create", {
    about: "agentUserId",
    input: KeyRequest,
    success: Minted,
    door,
    answersSecret: true,
    summary: "Create a key; only this answer contains its secret."
  }),
  query("apiKeys.list", {
    input: KeyPage,
    success: Schema.Array(Key),
    door,
    summary: "List your keys and those of your agents, newest first."
  }),
  mutation("apiKeys.revoke", {
    input: Schema.Struct({
      keyId: described("The id of the key. It is not secret.", Schema.UUID),
      reason: described("The reason, for people.", Schema.optional(Schema.String.pipe(Schema.maxLength(500))))
    }),
    success: Revoked,
    door,
    summary: "Revoke a key; after this answer, nothing can be written with it any more."
  }),
  mutation("apiKeys.rotate", {
    input: Schema.Struct({
      keyId: described("The id of the key. It is not secret.", Schema.UUID),
      overlapSeconds: described(
        "How many seconds the old key stays valid beside the new one.",
        Schema.optionalWith(Schema.Int, { default: () => 0 })
      )
    }),
    success: Minted,
    door,
    answersSecret: true,
    summary: "Replace a key with a new one that has the same grant, scopes and expiry."
  }),
  query("connections.list", {
    input: KeyPage,
    success: Schema.Array(Connection),
    door,
    summary: "List the connections to your pod: your keys and those of your agents and apps, each with what it may do."
  }),
  mutation("connections.revoke", {
    input: Schema.Struct({
      keyId: described("The id of the key. It is not secret.", Schema.UUID),
      reason: described("The reason, for people.", Schema.optional(Schema.String.pipe(Schema.maxLength(500))))
    }),
    success: Revoked,
    door,
    summary: "End a connection; after this answer, nothing can be written with its key any more."
  }),
  query("apiKeys.listSystemKeys", {
    input: NoInput,
    success: Schema.Array(Key),
    door,
    summary: "List the service and system keys of the pod. Only for the owner of the pod."
  })
)
