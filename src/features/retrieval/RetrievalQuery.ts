/** The parsed form of a question, and the spaces and projects in which the pod looks for the answer. */
import type { FilterValues, Question } from "../search/text/Question.ts"
import type { SearchPlaces } from "./AskedPlaces.ts"
import type { Understanding } from "./RetrievalResult.ts"
import type { Route } from "./Routing.ts"

/** The question in the form in which each part of retrieval receives it, with the spaces and projects to search. */
export interface RetrievalQuery extends SearchPlaces {
  readonly question: Question
  readonly route: Route
  readonly limit: number
}

const givenOf = (values: FilterValues) => Object.entries(values).filter(([, each]) => each.length > 0)

export const understandingOf = (
  { question, route }: RetrievalQuery,
  corrected: Understanding["corrected"]
): Understanding => {
  const { after, before, without, ...named } = question.filters
  const given = givenOf(named)
  const leftOut = givenOf(without)
  const times = Object.entries({ after, before }).flatMap(([name, at]) =>
    at === undefined ? [] : [[name, new Date(at).toISOString()] as const]
  )
  return {
    profileTypes: route.profileTypes,
    propertyHints: [],
    temporal: route.isTemporal,
    confidence: route.confidence,
    text: question.text,
    phrases: question.phrases,
    excluded: question.excluded,
    filters: Object.fromEntries([
      ...given,
      ...times,
      ...(leftOut.length === 0 ? [] : [["without", Object.fromEntries(leftOut)] as const])
    ]),
    corrected
  }
}
