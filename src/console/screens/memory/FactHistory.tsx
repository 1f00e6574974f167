/** Shows the history of a fact, with the facts that it replaced and the facts that replaced it. */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Fact } from "./duplicates.ts"

const whatNames = {
  add: "Added",
  fold: "Said again",
  unfold: "Said again, and restored",
  end: "Ended",
  restore: "Restored"
} as const

const Revisions = ({ id }: { readonly id: string }) => {
  const history = useQuery(hubQuery("GET /api/hub/memory/:id/history", { params: { id }, query: { limit: 50 } }))
  const { name } = useNames()
  return (
    <Shown what="the history" query={history}>
      {(revisions) => (
        <ol className="grid gap-3">
          {revisions.map(({ actorId, at, eventId, fact, factId, reason, what }) => (
            <li key={`${eventId}${factId}${what}`} className="grid gap-0.5">
              <span>
                <strong>{whatNames[what]}</strong> by {name(actorId)} <Time at={at} />
              </span>
              <span className="whitespace-pre-wrap">{fact}</span>
              {reason !== null && <span className="text-muted">{reason}</span>}
            </li>
          ))}
        </ol>
      )}
    </Shown>
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
