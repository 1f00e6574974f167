/**
 * The procedures about the search index. Their names begin with the name of an earlier search engine, because clients
 * already use these names.
 */
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { fullGrant, unrestrictedWrites } from "../../doors/Door.ts"
import { described, WorkspaceId } from "../../doors/Fields.ts"

const door = fullGrant("hub-protocol.read")
const number = (of: string) => described(of, Schema.Number)
const workspaceId = Schema.NullOr(WorkspaceId)

export const IndexedSpace = Schema.Struct({
  workspaceId,
  language: described("Language in which the index compares words.", Schema.String),
  objects: number("Number of entities, documents and knowledge entries in the index."),
  status: described(
    "`loading`: the pod is still building the index; `full`: the memory has no room for a part of the index.",
    Schema.Literal("ready", "loading", "full")
  )
}).annotations({ identifier: "IndexedSpace" })
export type IndexedSpace = typeof IndexedSpace.Type

export const WaitingSpace = Schema.Struct({
  workspaceId,
  waiting: described(
    "Number of changed objects that the index has not read; the pod counts at most 1,000. Null if no search has read the space in this process.",
    Schema.NullOr(Schema.Number)
  ),
  vectorsWaiting: described(
    "Number of changed objects that the embedding model has not read; the pod counts at most 1,000. Null without such a model.",
    Schema.NullOr(Schema.Number)
  )
}).annotations({ identifier: "WaitingSpace" })
export type WaitingSpace = typeof WaitingSpace.Type

const spacesList = <A, I>(item: Schema.Schema<A, I>) => described("Your spaces.", Schema.Array(item))

export const IndexStatusProcedures = RpcGroup.make(
  query("typesense.getStats", {
    input: NoInput,
    success: Schema.Struct({
      engine: described("Name of the search engine, which is a part of the pod.", Schema.Literal("pod")),
      objects: number("Number of objects of all your spaces in the index."),
      spaces: spacesList(IndexedSpace)
    }),
    door,
    summary: "Read how many objects of your spaces are in the search index of this process of the pod."
  }),
  query("typesense.getQueueStatus", {
    input: NoInput,
    success: Schema.Struct({
      waiting: number("Number of changed objects of all your spaces that the index has not read yet."),
      spaces: spacesList(WaitingSpace)
    }),
    door,
    summary: "Read how many changes of your spaces the search index has not read yet; the next search reads them."
  }),
  mutation("typesense.initializeCollections", {
    input: NoInput,
    success: Schema.Struct({
      status: Schema.Literal("initialized"),
      message: described("What the pod did.", Schema.String)
    }),
    door: unrestrictedWrites("hub-protocol.write", "workspace", ["update"], "search_index"),
    summary:
      "Delete all search indexes in the memory of this process of the pod, and build those of your spaces again. Only for the owner and the administrators of the pod."
  })
)
