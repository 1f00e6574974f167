/** The procedures of keys. A sign-in session alone passes: a key never makes, changes or sees keys. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/Declare.ts"
import { signedIn } from "../../doors/Door.ts"
import { Timestamp } from "../../doors/Fields.ts"
import { Key, KeyPage, KeyRequest } from "./Key.ts"

const door = signedIn

const Minted = Schema.Struct({
  id: Schema.UUID,
  /** The plaintext. This answer is the only place it ever appears. */
  key: Schema.String,
  keyPrefix: Schema.String,
  keyName: Schema.String,
  scope: Schema.Array(Schema.String),
  expiresAt: Schema.NullOr(Timestamp),
  summary: Schema.String,
  status: Schema.Literal("created", "rotated"),
  message: Schema.String
})

const Revoked = Schema.Struct({
  status: Schema.Literal("revoked"),
  keyId: Schema.UUID,
  revokedAt: Schema.NullOr(Timestamp)
})

const Connection = Schema.Struct({
  keyId: Schema.UUID,
  name: Schema.String,
  heldBy: Schema.Literal("person", "agent", "app"),
  /** The agent or the app; null for the person. */
  holderName: Schema.NullOr(Schema.String),
  /** One sentence: what it may touch. */
  summary: Schema.String,
  scope: Schema.Array(Schema.String),
  isActive: Schema.Boolean,
  expiresAt: Schema.NullOr(Timestamp),
  lastUsedAt: Schema.NullOr(Timestamp)
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
    input: Schema.Struct({ keyId: Schema.UUID, reason: Schema.optional(Schema.String.pipe(Schema.maxLength(500))) }),
    success: Revoked,
    door,
    summary: "Revoke a key; when this answers, nothing more is committed under it."
  }),
  mutation("apiKeys.rotate", {
    input: Schema.Struct({
      keyId: Schema.UUID,
      /** How long the old key lives on beside the new one. */
      overlapSeconds: Schema.optionalWith(Schema.Int, { default: () => 0 })
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
    input: Schema.Struct({ keyId: Schema.UUID, reason: Schema.optional(Schema.String.pipe(Schema.maxLength(500))) }),
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
