/** Lists the facts that were forgotten, newest first. The person can restore each of them. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { hubPageQuery } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Page.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import type { Fact } from "./duplicates.ts"
import { factsOnPage } from "./memorySearch.ts"
import { useRestore } from "./useRestore.ts"

export const forgottenInput = (after: string | undefined) => ({
  query: { forgotten: true, limit: factsOnPage, cursor: after }
})

const ForgottenFact = ({ fact }: { readonly fact: Fact }) => {
  const restore = useRestore()
  const [isBusy, setBusy] = useState(false)
  return (
    <li className="border-line flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-2 last:border-b-0">
      <div className="grid min-w-0 grow basis-60 gap-1">
        <p className="whitespace-pre-wrap">{fact.fact}</p>
        {fact.validTo !== null && (
          <p className="text-muted text-xs">
            forgotten <Time at={fact.validTo} />
          </p>
        )}
      </div>
      <Button
        isBusy={isBusy}
        aria-label={`Restore ${fact.fact.slice(0, 60)}`}
        onClick={() => {
          setBusy(true)
          void restore([fact.id]).finally(() => setBusy(false))
        }}
      >
        Restore
      </Button>
    </li>
  )
}

interface ForgottenProps {
  readonly after: string | undefined
  readonly onPage: (after: string | undefined) => void
}

export const ForgottenFacts = ({ after, onPage }: ForgottenProps) => {
  const facts = useQuery({
    ...hubPageQuery("GET /api/hub/memory", forgottenInput(after)),
    placeholderData: keepPreviousData
  })
  useFirstPage(facts.error)
  return (
    <QueryResult what="your forgotten facts" query={facts}>
      {({ answer: found, next }) =>
        found.length === 0 ? (
          <Empty title="No fact is forgotten.">
            <p>Facts that you or your agents forget are listed here. You can restore them at any time.</p>
          </Empty>
        ) : (
          <div className="grid gap-4">
            <ul aria-label="Forgotten facts" className="border-line bg-panel min-w-0 rounded-lg border">
              {found.map((fact) => (
                <ForgottenFact key={fact.id} fact={fact} />
              ))}
            </ul>
            <Pager label="Pages of the list" after={after} next={next} onGo={onPage} />
          </div>
        )
      }
    </QueryResult>
  )
}
