/**
 * Shows the notifications that the person has not read. Leaves out those about waiting proposals, because Home lists
 * these proposals beside them.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { onceKnown, useHiddenWorkspaces } from "../../api/hiddenSample.ts"
import { type AnswerOf, hub, hubQuery } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"
import { notificationsInput, notificationsLeftOut, notificationsMax } from "./homeReads.ts"

type Notification = AnswerOf<"GET /api/hub/notifications">[number]

interface AboutProps extends Pick<Notification, "eventId" | "subjectId" | "subjectType"> {
  readonly children: ReactNode
}

/** A link to the object of a notification. If the object has no page, a link to the event. */
const About = ({ children, eventId, subjectId, subjectType }: AboutProps) => {
  switch (subjectType) {
    case "proposal":
      return (
        <Link to="/inbox/$id" params={{ id: subjectId }}>
          {children}
        </Link>
      )
    case "webhook":
      return (
        <Link to="/webhooks" search={{ id: subjectId }}>
          {children}
        </Link>
      )
    case "apiKey":
      return (
        <Link to="/connections" search={{ key: subjectId }}>
          {children}
        </Link>
      )
    case "document":
      return (
        <Link to="/explore/$type/$id" params={{ type: "document", id: subjectId }}>
          {children}
        </Link>
      )
    default:
      return (
        <Link to="/events" search={{ event: eventId }}>
          {children}
        </Link>
      )
  }
}

export const NotificationsPanel = () => {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(undefined)
  const hidden = useHiddenWorkspaces()
  const unread = onceKnown(hidden.isKnown, useQuery(hubQuery("GET /api/hub/notifications", notificationsInput)))
  const shown = (all: ReadonlyArray<Notification>) =>
    all.filter(({ workspaceId }) => !hidden.ids.includes(workspaceId ?? "")).slice(0, notificationsMax)
  const read = async (id: string | undefined) => {
    try {
      await (id === undefined
        ? hub("POST /api/hub/notifications/read-all", {
            body: { exceptKind: notificationsLeftOut, exceptWorkspaceIds: hidden.ids }
          })
        : hub("POST /api/hub/notifications/:id/read", { params: { id } }))
      setError(undefined)
      await queries.invalidateQueries({ queryKey: ["notifications"] })
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Panel
      title="Notifications"
      actions={
        unread.data !== undefined &&
        shown(unread.data).length > 1 && <Button onClick={() => void read(undefined)}>Mark all as read</Button>
      }
    >
      {error !== undefined && <ErrorBox error={error} />}
      <QueryResult what="your notifications" query={unread}>
        {(latest) => {
          const found = shown(latest)
          return found.length === 0 ? (
            <p className="text-muted">You have read everything.</p>
          ) : (
            <ul className="grid gap-2">
              {found.map(({ count, id, text, title, updatedAt, ...one }) => (
                <li key={id} className="flex items-start justify-between gap-2">
                  <div className="min-w-0">
                    <p className="whitespace-pre-wrap">
                      <About {...one}>{text ?? title}</About>
                    </p>
                    <p className="text-muted text-xs">
                      {text !== null && `${title} · `}
                      {count > 1 && `${count} times · `}
                      <Time at={updatedAt} />
                    </p>
                  </div>
                  <Button
                    kind="quiet"
                    className="shrink-0 whitespace-nowrap"
                    aria-label={`Mark as read: ${title}`}
                    onClick={() => void read(id)}
                  >
                    Mark as read
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryResult>
    </Panel>
  )
}
