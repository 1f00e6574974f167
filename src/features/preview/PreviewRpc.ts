/** The procedures of previews: show what a key with a grant could do, and list the keys that can read a record. */
import { RpcGroup } from "@effect/rpc"
import { query } from "../../doors/DeclareProcedure.ts"
import { signedIn } from "../../doors/Door.ts"
import { Conflict, NotFound } from "../../doors/Failure.ts"
import { pageOf } from "../../doors/Page.ts"
import { GrantPreview, KeyThatReads, PreviewInput, ReadRecord } from "./Preview.ts"

export const PreviewProcedures = RpcGroup.make(
  query("grants.preview", {
    input: PreviewInput,
    success: GrantPreview,
    door: signedIn,
    errors: [Conflict, NotFound],
    summary: "Show what a key with this grant could read and which operations it could call, before you create the key."
  }),
  query("grants.readers", {
    input: ReadRecord,
    success: pageOf(KeyThatReads),
    door: signedIn,
    errors: [NotFound],
    summary: "List which of your keys, and of the keys of your agents, may read a record now."
  })
)
