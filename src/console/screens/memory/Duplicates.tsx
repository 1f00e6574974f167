/** Shows facts that have nearly the same words. The person chooses which fact stays. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Empty } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { readFacts } from "./allFacts.ts"
import { similarityMin, duplicateGroups, type Fact } from "./duplicates.ts"
import { useForget } from "./useForget.ts"

const comparedMax = 1000

const Group = ({ group }: { readonly group: ReadonlyArray<Fact> }) => {
  const forget = useForget()
  const [error, setError] = useState<unknown>(undefined)
  return (
    <li className="border-line bg-panel grid gap-2 rounded-lg border p-3">
      <ul className="grid gap-3">
        {group.map((fact) => (
          <li key={fact.id} className="flex flex-wrap items-start justify-between gap-2">
            <span className="min-w-0 grow basis-60 whitespace-pre-wrap">
              {fact.fact} <span className="text-muted">{Math.round(fact.confidence * 100)} %, </span>
              <Time at={fact.createdAt} />
            </span>
            <Button
              aria-label={`Keep only this: ${fact.fact.slice(0, 60)}`}
              onClick={() =>
                void forget({ ids: group.filter(({ id }) => id !== fact.id).map(({ id }) => id) }).catch(setError)
              }
            >
              Keep only this
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && <ErrorBox error={error} />}
    </li>
  )
}

export const Duplicates = () => {
  const read = useQuery({
    queryKey: ["memory", "all", comparedMax],
    queryFn: ({ signal }) => readFacts(comparedMax, signal)
  })
  return (
    <QueryResult what="your facts" query={read}>
      {({ facts, isAll }) => {
        const groups = duplicateGroups(facts)
        return (
          <div className="grid gap-3">
            <p className="text-muted">
              {isAll ? `All ${facts.length} facts` : `The newest ${facts.length} facts`} were compared by their words.
              Two facts with {Math.round(similarityMin * 100)} % of their words in common count as duplicates.
            </p>
            {groups.length === 0 ? (
              <Empty title="No two facts say nearly the same." />
            ) : (
              <ul className="grid gap-3">
                {groups.map((group) => (
                  <Group key={group[0]?.id} group={group} />
                ))}
              </ul>
            )}
          </div>
        )
      }}
    </QueryResult>
  )
}
