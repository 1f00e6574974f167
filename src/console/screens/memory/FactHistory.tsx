/** Shows the history of a fact, with the facts that it replaced and the facts that replaced it. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { pagesQuery } from "../../api/everyPage.ts"
import { type AnswerOf, hubPage } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Fact } from "./duplicates.ts"

const whatNames = {
  add: "Added",
  fold: "Said again",
  unfold: "Said again, and restored",
  end: "Ended",
  restore: "Restored"
} as const

type FactRevision = AnswerOf<"GET /api/hub/memory/:id/history">[number]

const revisionsAtOnce = 50

const revisionKey = ({ eventId, factId, what }: FactRevision) => `${eventId}${factId}${what}`

const Revisions = ({ id }: { readonly id: string }) => {
  const history = useInfiniteQuery(
    pagesQuery<FactRevision>(["memory", "GET /api/hub/memory/:id/history", id], {
      atOnce: revisionsAtOnce,
      read: (query, signal) => hubPage("GET /api/hub/memory/:id/history", { params: { id }, query }, signal)
    })
  )
  const { name } = useNames()
  return (
    <QueryResult what="the history" query={history}>
      {(revisions) => (
        <div className="grid gap-3">
          <ol className="grid gap-3">
            {revisions.map((revision) => (
              <li key={revisionKey(revision)} className="grid gap-0.5">
                <span>
                  <strong>{whatNames[revision.what]}</strong> by {name(revision.actorId)} <Time at={revision.at} />
                </span>
                <span className="whitespace-pre-wrap">{revision.fact}</span>
                {revision.reason !== null && <span className="text-muted">{revision.reason}</span>}
              </li>
            ))}
          </ol>
          <ShowMore what="changes" query={history} />
        </div>
      )}
    </QueryResult>
  )
}

export const FactHistory = ({
  fact,
  isOpen,
  onClose
}: {
  readonly fact: Fact
  readonly isOpen: boolean
  readonly onClose: () => void
}) => (
  <Dialog title="History of the fact" isOpen={isOpen} onClose={onClose} shape="drawer">
    {isOpen && <Revisions id={fact.id} />}
  </Dialog>
)
