/** Shows one event: its data, who decided about it, the other events of its request, and its causes and effects. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hubQuery } from "../../api/hub.ts"
import { procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { useNames } from "../../api/useNames.ts"
import { curlOf } from "../../ui/callForms.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Facts } from "../../ui/Facts.tsx"
import { Json } from "../../ui/Json.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { Time } from "../../ui/Time.tsx"
import { CauseTree } from "./CauseTree.tsx"
import { EventThread } from "./EventThread.tsx"
import { useSubjectName } from "./useSubjectName.ts"

type Event = ProcedureOutput<"events.get">

const openable = new Set(["entity", "document", "project", "track", "view"])

const Subject = (event: Event) => {
  const { subjectId, subjectType } = event
  const name = useSubjectName(event)
  if (subjectId === undefined || subjectType === undefined) return "none"
  const text = `${subjectType} ${name ?? subjectId}`
  return (
    <>
      {openable.has(subjectType) ? (
        <Link to="/explore/$type/$id" params={{ type: subjectType, id: subjectId }}>
          {text}
        </Link>
      ) : subjectType === "proposal" ? (
        <Link to="/inbox/$id" params={{ id: subjectId }}>
          {text}
        </Link>
      ) : (
        text
      )}
      {name !== undefined && (
        <>
          {" "}
          <code>{subjectId}</code>
        </>
      )}
    </>
  )
}

type Smallest = AnswerOf<"GET /api/hub/auth/decisions/:id">["smallestGrant"]

const smallest = (grant: Smallest) =>
  grant === null ? "none, because the person lacks the right" : grant.permissions.join(", ")

const DecisionOf = ({ event }: { readonly event: Event }) => {
  const decision = useQuery({
    ...hubQuery("GET /api/hub/auth/decisions/:id", { params: { id: event.id } }),
    enabled: event.decision !== undefined
  })
  if (event.decision === undefined) return <p>The pod itself wrote this event, so nobody had to decide about it.</p>
  return (
    <QueryResult what="the decision" query={decision}>
      {({ axis, operation, permission, proposalId, rung, smallestGrant, verdict, why }) => (
        <Facts
          facts={[
            [
              "Verdict",
              <Badge tone={verdict === "allow" ? "good" : verdict === "deny" ? "bad" : "warn"}>{verdict}</Badge>
            ],
            ["Why", why],
            ["Rule", axis === "none" ? rung : `${rung} (${axis})`],
            ["Operation", operation ?? "none"],
            ["Permission", <code>{permission}</code>],
            ...(verdict === "deny" ? [["Smallest grant that passes", smallest(smallestGrant)] as const] : []),
            [
              "Proposal",
              proposalId === null ? (
                "none"
              ) : (
                <Link to="/inbox/$id" params={{ id: proposalId }}>
                  {proposalId}
                </Link>
              )
            ]
          ]}
        />
      )}
    </QueryResult>
  )
}

/** The name of the person or agent who caused the event. If the name is unknown, also its id. */
const Actor = ({ id }: { readonly id: string }) => {
  const { isNamed, name } = useNames()
  return isNamed(id) ? (
    name(id)
  ) : (
    <>
      {name(id)} <code>{id}</code>
    </>
  )
}

interface EventDetailProps {
  readonly id: string
  /** The name of the shown tab. The page gets this name from its address. */
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
}

export const EventDetail = ({ id, onTab, tab }: EventDetailProps) => {
  const read = useQuery(procedureQuery("events.get", { eventId: id }))
  return (
    <QueryResult what="the event" query={read}>
      {(event) => (
        <div className="grid min-w-0 gap-4">
          <h2>{event.type}</h2>
          <Facts
            facts={[
              ["When", <Time at={event.timestamp} isExact />],
              ["By", <Actor id={event.actorId} />],
              ["Subject", <Subject {...event} />],
              ["Source", event.source],
              ["Number in its log", event.seq]
            ]}
          />
          <Tabs
            label="Parts of the event"
            {...tabInAddress(
              [
                { name: "Payload", content: <Json value={event.data} name="the payload" /> },
                {
                  name: "Metadata",
                  content:
                    event.metadata === undefined ? (
                      <p>The event has no metadata.</p>
                    ) : (
                      <Json value={event.metadata} name="the metadata" />
                    )
                },
                { name: "Decision", content: <DecisionOf event={event} /> },
                { name: "Request", content: <EventThread event={event} /> },
                { name: "Tree", content: <CauseTree event={event} /> },
                {
                  name: "Raw",
                  content: (
                    <div className="grid gap-3">
                      <Json value={event} name="the event" />
                      <Copyable
                        name="as curl"
                        text={curlOf({ procedure: "events.get", kind: "query", input: { eventId: event.id } })}
                      />
                    </div>
                  )
                }
              ],
              tab,
              onTab
            )}
          />
        </div>
      )}
    </QueryResult>
  )
}
