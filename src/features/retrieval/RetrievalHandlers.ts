/** The handlers of retrieval. */
import { Effect } from "effect"
import { implement } from "../../doors/Implement.ts"
import { Retrieval } from "./Retrieval.ts"
import { RetrievalApi } from "./RetrievalApi.ts"

export const layer = implement(
  RetrievalApi,
  Effect.map(Retrieval, (retrieval) => ({
    "retrieval.search": ({ payload }) => retrieval.search(payload),
    "retrieval.ask": ({ payload }) => retrieval.search(payload)
  }))
)
