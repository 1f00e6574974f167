/** What the Hub opens of retrieval. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { read } from "../../doors/Declare.ts"
import { EntityQuestion, RetrievalRequest, RetrievalResult, RetrievedEntities } from "./RetrievalResult.ts"
import { retrievalDoor } from "./RetrievalDoor.ts"

export const RetrievalApi = HttpApiGroup.make("retrieval")
  .annotate(OpenApi.Description, "Finds entities, documents, knowledge and memories by a question.")
  .add(
    read("retrieval.search", {
      method: "POST",
      path: "/knowledge/search",
      payload: RetrievalRequest,
      success: RetrievalResult,
      door: retrievalDoor,
      summary: "Find what answers a question among entities, documents, knowledge and memories."
    })
  )
  .add(
    read("retrieval.ask", {
      method: "POST",
      path: "/knowledge/ask",
      payload: RetrievalRequest,
      success: RetrievalResult,
      door: retrievalDoor,
      summary: "The same as a search, under the name that agents use."
    })
  )
  .add(
    read("retrieval.entities", {
      method: "POST",
      path: "/entities/retrieve",
      payload: EntityQuestion,
      success: RetrievedEntities,
      door: retrievalDoor,
      summary: "Find entities by a question and answer them whole. Deprecated: use /knowledge/search."
    })
  )
