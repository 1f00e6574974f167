/**
 * The procedures that show what keys are used for. Only the person who owns the keys is allowed to call these
 * procedures, and only in a sign-in session.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { NoInput, query, subscription } from "../../doors/DeclareProcedure.ts"
import { signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { described } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { CallPosition } from "./CallPosition.ts"
import { daysKept, KeyCall, KeyDay } from "./KeyCall.ts"

const KeyId = described("Id of the key. The id is not secret.", Id)

export const UsageProcedures = RpcGroup.make(
  query("apiKeys.usage", {
    input: Schema.Struct({ keyId: KeyId }),
    success: Schema.Struct({
      keyId: KeyId,
      days: described("The days with calls among the last 90 days, oldest first.", Schema.Array(KeyDay)),
      calls: described("The last 50 calls, newest first.", Schema.Array(KeyCall))
    }).annotations({ identifier: "KeyUsage" }),
    door: signedIn,
    errors: [NotFound],
    summary: "Read how often one of your keys was used on each day, and the last calls with this key."
  }),
  subscription("apiKeys.watchCalls", {
    input: Schema.Struct({
      keyId: KeyId,
      lastEventId: described(
        "The `id` of the last call that you received. tRPC clients send it when they connect again. `0`: begin with the last 50 calls.",
        Schema.optional(Schema.NullOr(CallPosition))
      )
    }),
    item: KeyCall,
    door: signedIn,
    errors: [NotFound],
    summary: "Watch the calls with one of your keys as a subscription. Refused calls are included."
  }),
  query("apiKeys.lastCalls", {
    input: NoInput,
    success: Schema.Array(Schema.Struct({ keyId: KeyId, call: KeyCall }).annotations({ identifier: "LastCall" })),
    door: signedIn,
    summary: "Read the last call with each of your keys and those of your agents; a key without calls is left out."
  }),
  query("apiKeys.usageByDay", {
    input: Schema.Struct({
      days: described(
        "How many days to return, including today.",
        Schema.optionalWith(Schema.Int.pipe(Schema.between(1, daysKept)), { default: () => 7 })
      )
    }),
    success: Schema.Array(Schema.Struct({ keyId: KeyId, ...KeyDay.fields })),
    door: signedIn,
    summary: "Read how often your keys and those of your agents were used on each of the last days."
  })
)
