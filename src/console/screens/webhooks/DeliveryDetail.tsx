/**
 * Shows one delivery: the call of the pod to the receiver, the answer of the receiver, and how the receiver can check
 * the signature of the call.
 */
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
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { Time } from "../../ui/Time.tsx"
import { EventSubject } from "../events/EventSubject.tsx"
import {
  type Attempt,
  bodyOf,
  type Delivery,
  latencyText,
  deliveryTones,
  headersOf,
  verifySnippet
} from "./webhookFacts.ts"

/** The record that the event of a delivery is about. */
const About = ({ eventId }: { readonly eventId: string }) => {
  const { data } = useQuery(procedureQuery("events.get", { eventId }))
  return data === undefined ? "–" : data.subjectId === undefined ? "no record" : <EventSubject event={data} />
}

const Body = ({ delivery }: { readonly delivery: Delivery }) => {
  const event = useQuery(procedureQuery("events.get", { eventId: delivery.eventId }))
  return (
    <QueryResult what="the event" query={event}>
      {(found) => <Json value={bodyOf(found, delivery)} name="the body" />}
    </QueryResult>
  )
}

// The table shows this many characters of an answer. A person can open the whole answer below these characters.
const answerShown = 200

const attemptColumns = [
  { name: "Call", isNumber: true, cell: ({ attempt }: Attempt) => attempt },
  { name: "When", cell: ({ at }: Attempt) => <Time at={at} /> },
  {
    name: "Status",
    cell: ({ error, responseStatus }: Attempt) => {
      const isGood = responseStatus !== null && responseStatus.startsWith("2")
      return (
        <div className="grid justify-items-start gap-1">
          <Badge tone={isGood ? "good" : "bad"}>
            {responseStatus === null ? "no answer" : `HTTP ${responseStatus}`}
          </Badge>
          {error !== null && <span>{error}</span>}
        </div>
      )
    }
  },
  { name: "Took", isNumber: true, cell: ({ latencyMs }: Attempt) => latencyText(latencyMs) },
  {
    name: "Answer",
    cell: ({ attempt, responseBody, responseHeaders }: Attempt) =>
      responseBody === null && responseHeaders === null ? (
        <span className="text-muted">none</span>
      ) : (
        <div className="grid gap-1">
          {responseBody !== null && responseBody !== "" && (
            <code className="break-all whitespace-pre-wrap">{responseBody.slice(0, answerShown)}</code>
          )}
          <details>
            <summary className="min-h-6">Whole answer to call {attempt}</summary>
            <Copyable
              name={`the answer to call ${attempt}`}
              text={[
                ...Object.entries(responseHeaders ?? {}).map(([name, value]) => `${name}: ${value}`),
                "",
                responseBody ?? ""
              ]
                .join("\n")
                .trim()}
            />
          </details>
        </div>
      )
  }
]

/**
 * Shows every call that the pod made for a delivery, the latest first. The console reads the list again after each new
 * call.
 */
const Attempts = ({ delivery: { attempt, id, status, subscriptionId } }: { readonly delivery: Delivery }) => {
  const attempts = useQuery({
    ...procedureQuery("webhooks.attempts", { subscriptionId, deliveryId: id }),
    queryKey: ["webhooks", "webhooks.attempts", id, attempt, status]
  })
  return (
    <QueryResult what="the calls" query={attempts}>
      {(calls) =>
        calls.length === 0 ? (
          <p>The pod has not called yet.</p>
        ) : (
          <Table
            label="Calls of the delivery"
            columns={attemptColumns}
            rows={calls.toReversed()}
            keyOf={(call) => `${call.attempt} ${call.at}`}
          />
        )
      }
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
            { name: "Calls", content: <Attempts delivery={delivery} /> },
            {
              name: "Request",
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
                    The pod keeps no copy of a call. The receiver gets exactly this request, except that each call has
                    its own time and signature. Of each answer, the pod keeps the status, the headers without cookies,
                    and 16 kB of the text.
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
          ],
          tab,
          onTab
        )}
      />
    </div>
  )
}
