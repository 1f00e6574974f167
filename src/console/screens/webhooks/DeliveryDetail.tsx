/** One delivery: the call that the pod makes, what the receiver answered, and how a receiver checks the signature. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { change, procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Json } from "../../ui/Json.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { tell } from "../../ui/Toasts.tsx"
import { Time } from "../../ui/Time.tsx"
import { bodyOf, type Delivery, deliveryTones, headersOf, verifySnippet } from "./webhookFacts.ts"

const Body = ({ delivery }: { readonly delivery: Delivery }) => {
  const event = useQuery(procedureQuery("events.get", { eventId: delivery.eventId }))
  return (
    <Shown what="the event" query={event}>
      {(found) => <Json value={bodyOf(found, delivery)} name="the body" />}
    </Shown>
  )
}

export const DeliveryDetail = ({ delivery }: { readonly delivery: Delivery }) => {
  const queries = useQueryClient()
  const { attempt, createdAt, deliveredAt, error, eventId, eventType, id, nextAttemptAt, status } = delivery
  const resend = useMutation({
    mutationFn: () => change("webhooks.resend", { subscriptionId: delivery.subscriptionId, deliveryId: id }),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ["webhooks"] })
      if (proposalOf(answer) === undefined) tell({ text: "The delivery is sent again." })
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
        tabs={[
          {
            name: "Call",
            content: (
              <div className="grid gap-3">
                <Copyable
                  name="the headers"
                  text={headersOf(delivery)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join("\n")}
                />
                <Body delivery={delivery} />
                <p className="text-muted">
                  The pod keeps no copy of a call. Time and signature are made for each call; everything else is as the
                  receiver gets it.
                </p>
              </div>
            )
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
        ]}
      />
    </div>
  )
}
