/**
 * Shows one delivery: the call of the pod to the receiver, the answer of the receiver, and how the receiver can check
 * the signature of the call.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { change, procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { Time } from "../../ui/Time.tsx"
import { EventSubject } from "../events/EventSubject.tsx"
import { CallTable } from "./CallTable.tsx"
import { SentRequests } from "./SentRequests.tsx"
import { type Attempt, type Delivery, deliveryTones, verifySnippet } from "./webhookFacts.ts"

/** The record that the event of a delivery is about. */
const About = ({ eventId }: { readonly eventId: string }) => {
  const { data } = useQuery(procedureQuery("events.get", { eventId }))
  return data === undefined ? "–" : data.subjectId === undefined ? "no record" : <EventSubject event={data} />
}

/**
 * Reads the calls that the pod made for a delivery, and shows the latest first. The console reads the list again after
 * each new call.
 */
const Calls = ({
  children,
  delivery: { attempt, id, status, subscriptionId }
}: {
  readonly children: (calls: ReadonlyArray<Attempt>) => ReactNode
  readonly delivery: Delivery
}) => {
  const attempts = useQuery({
    ...procedureQuery("webhooks.attempts", { subscriptionId, deliveryId: id }),
    queryKey: ["webhooks", "webhooks.attempts", id, attempt, status]
  })
  return (
    <QueryResult what="the calls" query={attempts}>
      {(calls) => (calls.length === 0 ? <p>The pod has not called yet.</p> : children(calls.toReversed()))}
    </QueryResult>
  )
}

interface DeliveryDetailProps {
  readonly delivery: Delivery
  /** The name of the shown tab. The page gets this name from its address. */
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
}

export const DeliveryDetail = ({ delivery, onTab, tab }: DeliveryDetailProps) => {
  const queries = useQueryClient()
  const { attempt, createdAt, deliveredAt, error, eventId, eventType, id, nextAttemptAt, status } = delivery
  const resend = useMutation({
    mutationFn: () => change("webhooks.resend", { subscriptionId: delivery.subscriptionId, deliveryId: id }),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ["webhooks"] })
      if (proposalOf(answer) === undefined) showToast({ text: "The delivery is sent again." })
    }
  })
  const proposalId = proposalOf(resend.data)
  return (
    <div className="grid min-w-0 gap-4">
      <Facts
        facts={[
          ["State", <Badge tone={deliveryTones[status]}>{status}</Badge>],
          [
            "Event",
            <Link to="/events" search={{ event: eventId }}>
              {eventType}
            </Link>
          ],
          ["About", <About eventId={eventId} />],
          ["Calls so far", attempt],
          ["Planned", <Time at={createdAt} />],
          ["Arrived", <Time at={deliveredAt} />],
          ["Next call", <Time at={nextAttemptAt} absent="none" />],
          ["Answer", delivery.responseStatus === null ? "none" : `HTTP ${delivery.responseStatus}`],
          ["Error", error ?? "none"]
        ]}
      />
      <div>
        <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
          Send this again
        </Button>
      </div>
      {resend.error !== null && <ErrorBox error={resend.error} />}
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <Tabs
        label="Parts of the delivery"
        {...tabInAddress(
          [
            { name: "Calls", content: <Calls delivery={delivery}>{(calls) => <CallTable calls={calls} />}</Calls> },
            {
              name: "Request",
              content: <Calls delivery={delivery}>{(calls) => <SentRequests calls={calls} />}</Calls>
            },
            {
              name: "Answer",
              content:
                delivery.responseBody === null || delivery.responseBody === "" ? (
                  <p>The answer of the receiver has no text.</p>
                ) : (
                  <Copyable name="the answer" text={delivery.responseBody} />
                )
            },
            { name: "Verify", content: <Copyable name="the check" text={verifySnippet} /> }
          ],
          tab,
          onTab
        )}
      />
    </div>
  )
}
