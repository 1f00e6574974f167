/** The handlers of retrieval. They pass each call of an endpoint or a tool to a service and return its result. */
import { Effect, Layer } from "effect"
import { implement, implementTools } from "../../doors/Implement.ts"
import { Answers } from "./Answers.ts"
import { KnowledgeListing } from "./KnowledgeListing.ts"
import { Retrieval } from "./Retrieval.ts"
import { leanAnswer, leanFind } from "./LeanResult.ts"
import { RetrievalApi } from "./RetrievalApi.ts"
import { RetrievalTools } from "./RetrievalTools.ts"

const rest = implement(
  RetrievalApi,
  Effect.map(Effect.all([Retrieval, Answers, KnowledgeListing]), ([retrieval, answers, listing]) => ({
    "retrieval.search": ({ payload }) => retrieval.search(payload),
    "retrieval.ask": ({ payload }) => retrieval.search(payload),
    "retrieval.entities": ({ payload }) => retrieval.entities(payload),
    "retrieval.recall": ({ payload }) => retrieval.recall(payload),
    "retrieval.answer": ({ payload }) => answers.answer(payload),
    "retrieval.listKnowledge": ({ urlParams }) => listing.list(urlParams)
  }))
)

const tools = implementTools(
  RetrievalTools,
  Effect.map(Retrieval, (retrieval) => ({
    svc_ask: ({ budget, ...request }) => Effect.map(retrieval.search(request), (result) => leanAnswer(result, budget)),
    svc_find: ({ budget, kind, query, ...request }) =>
      Effect.map(
        retrieval.search({ ...request, query: kind === undefined ? query : `${query} type:${kind}` }),
        (result) => leanFind(result, budget)
      )
  }))
)

export const layer = Layer.merge(rest, tools)
