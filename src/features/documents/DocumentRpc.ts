/** The procedures of documents. */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { query } from "../../doors/DeclareProcedure.ts"
import { rows } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { Document } from "./Document.ts"

export const DocumentProcedures = RpcGroup.make(
  query("documents.getDocument", {
    input: Schema.Struct({ documentId: Id }),
    success: Document.schema,
    door: rows("hub-protocol.read", "document"),
    errors: [NotFound],
    summary: "Read one document with its content."
  })
)
