/** Shows one fact with its whole text, its certainty, its source, and why the search found it. */
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Fact } from "./duplicates.ts"
import { FactHistory } from "./FactHistory.tsx"
import { wordsMax } from "./memorySearch.ts"
import { useForget } from "./useForget.ts"

const trustNames = { person: "said by you", agent: "noted by an agent", import: "imported" } as const
const percentOf = (share: number) => Math.round(share * 100)

/** Why the search found a fact: the score of the fact, and the words of the question that the fact contains. */
export interface Reason {
  readonly score: number
  readonly words: ReadonlyArray<string>
}

const reasonText = ({ score, words }: Reason): string =>
  `Score ${score.toFixed(3)}. ` +
  (words.length === 0
    ? "The fact has none of the words. The search found it by its meaning, or by the messages beside it."
    : `The fact has the ${words.length === 1 ? "word" : "words"} ${words.map((word) => `“${word}”`).join(", ")}.`)

interface CardProps {
  readonly fact: Fact
  /** The place of the fact in the search results, from 1. Absent if the list is sorted by time. */
  readonly rank?: number | undefined
  /**
   * Why the search found the fact. Undefined if the console did not request the reasons. Null if the search gave no
   * reason for this fact.
   */
  readonly reason?: Reason | null | undefined
}

const Facts = ({ fact }: Pick<CardProps, "fact">) => (
  <p className="text-muted flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
    <span className="flex items-center gap-1.5">
      <meter className="h-2 w-16" min={0} max={1} value={fact.confidence} aria-label="Confidence" />
      {percentOf(fact.confidence)} % certain
    </span>
    <Badge>{fact.level}</Badge>
    <span>{trustNames[fact.trust]}</span>
    <span>
      created <Time at={fact.createdAt} />
    </span>
    {fact.count > 1 && <span>said {fact.count} times</span>}
    {fact.sourceEntityId !== null && (
      <Link to="/explore/$type/$id" params={{ type: "entity", id: fact.sourceEntityId }}>
        Source
      </Link>
    )}
    {fact.sourceMessageId !== null && <span>from message {fact.sourceMessageId.slice(0, 8)}</span>}
    {fact.sessionId !== null && (
      <span>
        session <code>{fact.sessionId}</code>
        {fact.turn !== null && `, turn ${fact.turn + 1}`}
      </span>
    )}
  </p>
)

export const FactCard = ({ fact, rank, reason }: CardProps) => {
  const forget = useForget()
  const [error, setError] = useState<unknown>(undefined)
  const [isOpen, setOpen] = useState(false)
  const short = fact.fact.slice(0, 60)
  return (
    <li className="border-line grid min-w-0 gap-x-4 gap-y-1 border-b px-4 py-2 last:border-b-0 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="grid min-w-0 gap-1">
        <p className="whitespace-pre-wrap">{fact.fact}</p>
        <Facts fact={fact} />
      </div>
      {reason !== undefined && (
        <p className="bg-accent-soft order-last rounded-md p-2 text-xs md:col-span-2">
          {rank !== undefined && <strong>Place {rank}. </strong>}
          {reason === null ? "The fact was stored after the question was asked." : reasonText(reason)}
        </p>
      )}
      {error !== undefined && (
        <div className="order-last md:col-span-2">
          <ErrorBox error={error} />
        </div>
      )}
      <div className="flex flex-wrap gap-1 max-md:-ml-3">
        <Link
          to="/memory"
          search={{ q: fact.fact.slice(0, wordsMax), like: fact.id }}
          className="text-text hover:bg-accent-soft inline-flex min-h-9 items-center rounded-md px-3 py-1.5 font-medium no-underline"
          aria-label={`Similar to ${short}`}
        >
          Similar
        </Link>
        <Button kind="quiet" aria-label={`History of ${short}`} onClick={() => setOpen(true)}>
          History
        </Button>
        <Button
          kind="quiet"
          aria-label={`Forget ${short}`}
          onClick={() => void forget({ ids: [fact.id] }).catch(setError)}
        >
          Forget
        </Button>
      </div>
      <FactHistory fact={fact} isOpen={isOpen} onClose={() => setOpen(false)} />
    </li>
  )
}
