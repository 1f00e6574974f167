/** The Hub endpoints of memory facts: list, search, remember, forget and restore facts (specification §4.3). */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/DeclareRest.ts"
import { everyKind, fullGrant, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { CallerId, Done, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { FactRevision, MemoryFact, WrittenFact } from "./MemoryFact.ts"
import { HistoryQuery, MemoryQuery, RecalledFact, RecallQuery, SimilarQuery } from "./MemoryQuery.ts"
import { FactDraft, ForgetDraft, MemorySessionDraft, TurnsDraft, WritesDraft } from "./MemoryDraft.ts"

const createDoor = writes("hub-protocol.write", "memory", ["create"])
const forgetDoor = writes("hub-protocol.write", "memory", ["delete"])

export const MemoryApi = HttpApiGroup.make("memory")
  .annotate(OpenApi.Description, "Memory: facts that programs store for a person. Other people cannot read them.")
  .add(
    read("memory.list", {
      path: "/memory",
      query: MemoryQuery,
      success: pageOf(MemoryFact),
      door: fullGrant("hub-protocol.read"),
      summary: "Find your facts by words, best first. Without words: list your facts, newest first."
    })
  )
  .add(
    write("memory.create", {
      method: "POST",
      path: "/memory",
      payload: FactDraft,
      success: MemoryFact,
      door: createDoor,
      summary: "Remember a fact. If you already have the same fact, the pod increases its `count`."
    })
  )
  .add(
    read("memory.recall", {
      path: "/memory/recall",
      query: RecallQuery,
      success: Schema.Array(RecalledFact),
      door: fullGrant("hub-protocol.read"),
      summary: "Find your facts for a question, best first, each with its score and the matching words of the question."
    })
  )
  .add(
    read("memory.search", {
      method: "POST",
      path: "/memory/search",
      payload: SimilarQuery,
      success: Schema.Array(MemoryFact),
      door: everyKind("hub-protocol.read", ["memory"]),
      summary: "Find your facts whose embeddings are nearest to the given embedding."
    })
  )
  .add(
    write("memory.turns", {
      method: "POST",
      path: "/memory/turns",
      payload: TurnsDraft,
      success: WrittenFact,
      door: createDoor,
      summary:
        "Store each turn (message) of a conversation as a fact, and the summary too. A turn that is sent again increases the `count` of its fact."
    })
  )
  .add(
    write("memory.sessions", {
      method: "POST",
      path: "/memory/sessions",
      payload: MemorySessionDraft,
      success: WrittenFact,
      door: createDoor,
      summary: "Remember a conversation as one fact. A later fact of the same conversation replaces this fact."
    })
  )
  .add(
    write("memory.writes", {
      method: "POST",
      path: "/memory/writes",
      payload: WritesDraft,
      success: WrittenFact,
      door: createDoor,
      summary: "Remember, update and forget several facts together. The history keeps updated and forgotten facts."
    })
  )
  .add(
    read("memory.forgetPreview", {
      method: "POST",
      path: "/memory/forget/preview",
      payload: ForgetDraft,
      success: WrittenFact,
      door: fullGrant("hub-protocol.read"),
      summary: "List the facts that `POST /memory/forget` would forget with the same body."
    })
  )
  .add(
    write("memory.forget", {
      method: "POST",
      path: "/memory/forget",
      payload: ForgetDraft,
      success: WrittenFact,
      door: forgetDoor,
      summary: "Forget the facts that contain all words of `query`, or that have one of the `ids`."
    })
  )
  .add(
    read("memory.history", {
      path: "/memory/:id/history",
      params: idPath,
      query: HistoryQuery,
      success: pageOf(FactRevision),
      errors: [NotFound],
      door: fullGrant("hub-protocol.read"),
      summary: "List the changes of a fact, and of its earlier and later versions, latest first."
    })
  )
  .add(
    write("memory.restore", {
      method: "POST",
      path: "/memory/:id/restore",
      params: idPath,
      success: MemoryFact,
      door: writes("hub-protocol.write", "memory", ["update"]),
      summary: "Restore a fact that was superseded or forgotten."
    })
  )
  .add(
    write("memory.delete", {
      method: "DELETE",
      path: "/memory/:id",
      params: idPath,
      query: Schema.Struct({ userId: CallerId }),
      success: Done,
      door: forgetDoor,
      summary: "Forget a fact; `success` is false if you have no such fact."
    })
  )
