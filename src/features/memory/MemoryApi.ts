/** What the Hub opens of memory facts (specification §4.3). */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read, write } from "../../doors/Declare.ts"
import { everyKind, fullGrant, writes } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { CallerId, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import {
  FactDraft,
  FactRevision,
  ForgetDraft,
  HistoryQuery,
  MemoryFact,
  MemoryQuery,
  SessionDraft,
  SimilarQuery,
  TurnsDraft,
  WritesDraft,
  Written
} from "./MemoryFact.ts"

const creating = writes("hub-protocol.write", "memory", ["create"])
const forgetting = writes("hub-protocol.write", "memory", ["delete"])

export const MemoryApi = HttpApiGroup.make("memory")
  .annotate(OpenApi.Description, "Facts that a person's programs remember for that person. Nobody else reads them.")
  .add(
    read("memory.list", {
      path: "/memory",
      query: MemoryQuery,
      success: pageOf(MemoryFact),
      door: fullGrant("hub-protocol.read"),
      summary: "Find your facts by words, best first; without words, list them newest first."
    })
  )
  .add(
    write("memory.create", {
      method: "POST",
      path: "/memory",
      payload: FactDraft,
      success: MemoryFact,
      door: creating,
      summary: "Remember a fact. One that says the same as a fact you have is counted there."
    })
  )
  .add(
    read("memory.search", {
      method: "POST",
      path: "/memory/search",
      payload: SimilarQuery,
      success: Schema.Array(MemoryFact),
      door: everyKind("hub-protocol.read", ["memory"]),
      summary: "Find your facts whose embeddings are nearest to this one."
    })
  )
  .add(
    write("memory.turns", {
      method: "POST",
      path: "/memory/turns",
      payload: TurnsDraft,
      success: Written,
      door: creating,
      summary: "Remember the turns of a conversation, one fact each, and its summary. Turns sent again are counted."
    })
  )
  .add(
    write("memory.sessions", {
      method: "POST",
      path: "/memory/sessions",
      payload: SessionDraft,
      success: Written,
      door: creating,
      summary: "Remember a session as one fact. A later one of the same session takes its place."
    })
  )
  .add(
    write("memory.writes", {
      method: "POST",
      path: "/memory/writes",
      payload: WritesDraft,
      success: Written,
      door: creating,
      summary:
        "Remember, update and forget several entries together. What is updated or forgotten stays in the history."
    })
  )
  .add(
    read("memory.forgetPreview", {
      method: "POST",
      path: "/memory/forget/preview",
      payload: ForgetDraft,
      success: Written,
      door: fullGrant("hub-protocol.read"),
      summary: "Show the facts that the same forget request would take."
    })
  )
  .add(
    write("memory.forget", {
      method: "POST",
      path: "/memory/forget",
      payload: ForgetDraft,
      success: Written,
      door: forgetting,
      summary: "Forget the facts with all of these words, or with these ids."
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
      summary: "List what happened to a fact and to the facts it replaced or was replaced by, latest first."
    })
  )
  .add(
    write("memory.restore", {
      method: "POST",
      path: "/memory/:id/restore",
      params: idPath,
      success: MemoryFact,
      door: writes("hub-protocol.write", "memory", ["update"]),
      summary: "Take up again a fact that was superseded or forgotten."
    })
  )
  .add(
    write("memory.delete", {
      method: "DELETE",
      path: "/memory/:id",
      params: idPath,
      query: Schema.Struct({ userId: CallerId }),
      success: Schema.Struct({ success: Schema.Boolean }),
      door: forgetting,
      summary: "Forget a fact; success is false if you have no such fact."
    })
  )
