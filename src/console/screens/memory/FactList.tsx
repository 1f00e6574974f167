/**
 * Lists facts. With search words, lists the facts that the search finds, best first. Without search words, lists all
 * facts, newest first.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { hubPageQuery, hubQuery } from "../../api/hub.ts"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty } from "../../ui/Page.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { FactCard, type Reason } from "./FactCard.tsx"
import { factsOnPage, type MemorySearch } from "./memorySearch.ts"

export const factsInput = ({ after, level, q, trust }: MemorySearch) => ({
  query: {
    ...(q === undefined ? {} : { q }),
    ...(trust === undefined ? {} : { trust }),
    ...(level === undefined ? {} : { level }),
    limit: factsOnPage,
    ...(q === undefined ? { cursor: after } : {})
  }
})

/** Reads why the search found each fact. Returns the reasons by the id of the fact. */
const useReasons = ({ level, q, trust, why }: MemorySearch) =>
  useQuery({
    ...hubQuery("GET /api/hub/memory/recall", {
      query: {
        q: q ?? "",
        limit: factsOnPage,
        ...(trust === undefined ? {} : { trust }),
        ...(level === undefined ? {} : { level })
      }
    }),
    enabled: why === true && q !== undefined,
    select: (found): ReadonlyMap<string, Reason> =>
      new Map(found.map(({ fact, score, words }) => [fact.id, { score, words }]))
  })

interface ListProps {
  readonly search: MemorySearch
  readonly onPage: (after: string | undefined) => void
  readonly onClear: () => void
}

export const FactList = ({ search, onClear, onPage }: ListProps) => {
  const { after, like, q, why } = search
  const facts = useQuery({
    ...hubPageQuery("GET /api/hub/memory", factsInput(search)),
    placeholderData: keepPreviousData
  })
  useFirstPage(facts.error)
  const reasons = useReasons(search)
  return (
    <>
      {reasons.error !== null && <ErrorBox error={reasons.error} onRetry={() => void reasons.refetch()} />}
      <QueryResult what="your facts" query={facts}>
        {({ answer: found, next }) => {
          const shown = found.filter(({ id }) => id !== like)
          if (shown.length === 0) {
            const isFiltered = search.level !== undefined || search.trust !== undefined
            return like !== undefined ? (
              <Empty title="No other fact is similar.">
                <Link to="/memory">Show all facts</Link>
              </Empty>
            ) : q === undefined && !isFiltered ? (
              <Empty title="Nothing is remembered yet.">
                <p>What your programs and agents remember for you is listed here. Nobody else can read it.</p>
                <Link to="/connect">Connect a program</Link>
              </Empty>
            ) : (
              <NoMatch one="fact" many="facts" text={q} isFiltered={isFiltered} onClear={onClear} />
            )
          }
          return (
            <>
              <ul aria-label="Facts" className="border-line bg-panel min-w-0 rounded-lg border">
                {shown.map((fact, at) => (
                  <FactCard
                    key={fact.id}
                    fact={fact}
                    rank={at + 1}
                    reason={
                      why === true && reasons.data !== undefined ? (reasons.data.get(fact.id) ?? null) : undefined
                    }
                  />
                ))}
              </ul>
              {q === undefined && <Pager label="Pages of the list" after={after} next={next} onGo={onPage} />}
            </>
          )
        }}
      </QueryResult>
    </>
  )
}
