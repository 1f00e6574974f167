/** The procedures of keys. A sign-in session alone passes: a key never makes, changes or sees keys. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/Declare.ts"
import { signedIn } from "../../doors/Door.ts"
import { described, Timestamp } from "../../doors/Fields.ts"
import { Key, KeyPage, KeyRequest } from "./Key.ts"

const door = signedIn

const Minted = Schema.Struct({
  id: Schema.UUID,
  key: described("The plaintext. This answer is the only place it ever appears.", Schema.String),
  keyPrefix: described("The first characters of the secret.", Schema.String),
  keyName: described("What its owner calls it.", Schema.String),
  scope: described("Which surfaces it may call.", Schema.Array(Schema.String)),
  expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp)),
  summary: Schema.String,
  status: Schema.Literal("created", "rotated"),
  message: described("What to know of it, for people.", Schema.String)
})

const Revoked = Schema.Struct({
  status: Schema.Literal("revoked"),
  keyId: described("The id of the key, which is no secret.", Schema.UUID),
  revokedAt: described("When it was revoked; null: it was not.", Schema.NullOr(Timestamp))
})

const Connection = Schema.Struct({
  keyId: described("The id of the key, which is no secret.", Schema.UUID),
  name: Schema.String,
  heldBy: described("Who holds it.", Schema.Literal("person", "agent", "app")),
  holderName: described("The agent or the app; null for the person.", Schema.NullOr(Schema.String)),
  summary: described("One sentence: what it may touch.", Schema.String),
  scope: described("Which surfaces it may call.", Schema.Array(Schema.String)),
  isActive: described("Whether it opens anything now.", Schema.Boolean),
  expiresAt: described("When it ends; null: never.", Schema.NullOr(Timestamp)),
  lastUsedAt: described("When it was last used; null: never.", Schema.NullOr(Timestamp))
}).annotations({ identifier: "Connection" })

export const KeyProcedures = RpcGroup.make(
  mutation("apiKeys.create", {
    about: "agentUserId",
    input: KeyRequest,
    success: Minted,
    door,
    answersSecret: true,
    summary: "Make a key; its plaintext is in this answer and nowhere else."
  }),
  query("apiKeys.list", {
    input: KeyPage,
    success: Schema.Array(Key),
    door,
    summary: "List your keys and those of your agents, newest first."
  }),
  mutation("apiKeys.revoke", {
    input: Schema.Struct({
      keyId: described("The id of the key, which is no secret.", Schema.UUID),
      reason: described("Why, for people.", Schema.optional(Schema.String.pipe(Schema.maxLength(500))))
    }),
    success: Revoked,
    door,
    summary: "Revoke a key; when this answers, nothing more is committed under it."
  }),
  mutation("apiKeys.rotate", {
    input: Schema.Struct({
      keyId: described("The id of the key, which is no secret.", Schema.UUID),
      overlapSeconds: described(
        "How long the old key lives on beside the new one.",
        Schema.optionalWith(Schema.Int, { default: () => 0 })
      )
    }),
    success: Minted,
    door,
    answersSecret: true,
    summary: "Replace a key by one with the same grant, scopes and end of life."
  }),
  query("connections.list", {
    input: KeyPage,
    success: Schema.Array(Connection),
    door,
    summary: "List who reaches your pod: your keys and those of your agents and apps, each with what it may touch."
  }),
  mutation("connections.revoke", {
    input: Schema.Struct({
      keyId: described("The id of the key, which is no secret.", Schema.UUID),
      reason: described("Why, for people.", Schema.optional(Schema.String.pipe(Schema.maxLength(500))))
    }),
    success: Revoked,
    door,
    summary: "End a connection; when this answers, nothing more is committed under it."
  }),
  query("apiKeys.listSystemKeys", {
    input: NoInput,
    success: Schema.Array(Key),
    door,
    summary: "List the pod's service and system keys; for its owner."
  })
)
