/** The Hub endpoints of retrieval, which search the records of a person and answer questions about them. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { read } from "../../doors/DeclareRest.ts"
import {
  AnswerRequest,
  EntityQuestion,
  EntityRecall,
  KnowledgeListingQuery,
  RetrievalRequest
} from "./RetrievalRequest.ts"
import { AnswerResult, RecalledEntities, RetrievalResult, RetrievedEntities } from "./RetrievalResult.ts"
import { fullGrantInSpaces } from "../../doors/Door.ts"
import { KnowledgeEntry } from "../knowledge/KnowledgeEntry.ts"
import { retrievalDoor } from "./RetrievalDoor.ts"

export const RetrievalApi = HttpApiGroup.make("retrieval")
  .annotate(OpenApi.Description, "Search: find entities, documents, knowledge and memories with a question.")
  .add(
    read("retrieval.search", {
      method: "POST",
      path: "/knowledge/search",
      payload: RetrievalRequest,
      success: RetrievalResult,
      door: retrievalDoor,
      summary: "Find the entities, documents, knowledge and memories that answer a question."
    })
  )
  .add(
    read("retrieval.ask", {
      method: "POST",
      path: "/knowledge/ask",
      payload: RetrievalRequest,
      success: RetrievalResult,
      door: retrievalDoor,
      summary: "Do the same as `POST /knowledge/search`; agents use this path."
    })
  )
  .add(
    read("retrieval.entities", {
      method: "POST",
      path: "/entities/retrieve",
      payload: EntityQuestion,
      success: RetrievedEntities,
      door: retrievalDoor,
      deprecated: { since: "2026-01-01", successor: "/knowledge/search" },
      summary: "Find entities by a question and return whole entities. Deprecated: use `POST /knowledge/search`."
    })
  )
  .add(
    read("retrieval.recall", {
      method: "POST",
      path: "/entities/recall",
      payload: EntityRecall,
      success: RecalledEntities,
      door: retrievalDoor,
      summary:
        "Find entities by a question and return whole entities, best first. With `profileSlug`, find only entities of this kind."
    })
  )
  .add(
    read("retrieval.answer", {
      method: "POST",
      path: "/knowledge/answer",
      payload: AnswerRequest,
      success: AnswerResult,
      door: retrievalDoor,
      summary:
        "Answer a question in sentences that cite sources; without a language model the answer has only the sources."
    })
  )
  .add(
    read("retrieval.listKnowledge", {
      path: "/knowledge/search",
      query: KnowledgeListingQuery,
      success: Schema.Array(KnowledgeEntry),
      door: fullGrantInSpaces("hub-protocol.read"),
      deprecated: { since: "2026-01-01", successor: "/knowledge/search" },
      summary: "List the knowledge entries that fit a query, best first. Deprecated: use `POST /knowledge/search`."
    })
  )
