/** The handlers of retrieval. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { Answers } from "./Answers.ts"
import { KnowledgeListing } from "./KnowledgeListing.ts"
import { Retrieval } from "./Retrieval.ts"
import { RetrievalApi } from "./RetrievalApi.ts"

export const layer = implement(
  RetrievalApi,
  Effect.map(Effect.all([Retrieval, Answers, KnowledgeListing]), ([retrieval, answers, listing]) => ({
    "retrieval.search": ({ payload }) => retrieval.search(payload),
    "retrieval.ask": ({ payload }) => retrieval.search(payload),
    "retrieval.answer": ({ payload }) => answers.answer(payload),
    "retrieval.listKnowledge": ({ urlParams }) => listing.list(urlParams)
  }))
)
