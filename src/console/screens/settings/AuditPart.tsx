/**
 * The audit of the person's own space: who did what and when, with the content of each event. The person can read the
 * audit and save it as a file.
 */
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { manyPages, type PagePlace } from "../../api/everyPage.ts"
import { type AnswerOf, hubPage, hubPageQuery } from "../../api/hub.ts"
import { useNames } from "../../api/useNames.ts"
import { currentSession } from "../../api/session.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField } from "../../ui/Field.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { TimeRangeFields } from "../../ui/TimeRangeFields.tsx"
import { type TimeRange, timesOf } from "../../ui/timeRange.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { EventSubject } from "../events/EventSubject.tsx"
import { subjectNames } from "../events/subjectNames.ts"
import { changesIn } from "./auditChanges.ts"
import type { SettingsSearch } from "./settingsRoutes.ts"

type Event = AnswerOf<"GET /api/hub/events">[number]

const pageLength = 50

/**
 * The request for the events. It has an early start date, because without a date the endpoint returns only the last
 * week.
 */
export const auditRead = (after: string | undefined, about: string | undefined, range: TimeRange) => ({
  query: {
    limit: pageLength,
    cursor: after,
    fromDate: "2000-01-01T00:00:00Z",
    ...timesOf(range),
    ...(about === undefined ? {} : { subjectType: about })
  }
})

// The pod returns at most this many rows in one answer.
const exportPage = 200
// A file contains at most this many rows. If there are more, the button says so.
const exportMax = 20_000

/** Reads the events of the audit page by page, the newest first. */
const wholeAudit = (about: string | undefined, range: TimeRange) => {
  const { query } = auditRead(undefined, about, range)
  const read = (page: PagePlace) => hubPage("GET /api/hub/events", { query: { ...query, ...page } })
  return manyPages<Event>({ atOnce: exportPage, read }, exportMax)
}

/** The types of administrative events begin with these words. */
const subjectTypes = [
  "access",
  "agent",
  "apiKey",
  "governance",
  "invitation",
  "member",
  "person",
  "proposal",
  "role",
  "vault",
  "webhook",
  "workspace"
]

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The members that the events mention, such as the member who got another role. */
const membersIn = (events: ReadonlyArray<Event>) =>
  events.flatMap(({ data, workspaceId }) => {
    const userId = textOf(data["userId"])
    const place = textOf(data["workspaceId"]) ?? workspaceId
    return userId === undefined || place === null ? [] : [{ userId, workspaceId: place }]
  })

interface AuditPartProps {
  readonly after: string | undefined
  readonly about: string | undefined
  readonly range: TimeRange
  readonly onGo: (after: string | undefined) => void
}

export const AuditPart = ({ after, about, onGo, range }: AuditPartProps) => {
  const navigate = useNavigate()
  const events = useQuery(hubPageQuery("GET /api/hub/events", auditRead(after, about, range)))
  useFirstPage(events.error)
  const listed = events.data?.answer ?? []
  const save = useMutation({
    mutationFn: () => wholeAudit(about, range),
    onSuccess: ({ answer: rows, next }) => {
      saveFile("pod-audit.json", JSON.stringify(rows, undefined, 2))
      const more = next === undefined ? "" : ", and there are older ones"
      showToast({ text: `${rows.length.toLocaleString("en")} events are saved${more}.` })
    }
  })
  const isFiltered = about !== undefined || Object.keys(timesOf(range)).length > 0
  const choose = (search: Omit<SettingsSearch, "show" | "after">) =>
    void navigate({ to: "/settings", search: { show: "Audit", ...search } })
  const me = currentSession()?.user
  const { isNamed, name } = useNames(membersIn(listed))
  const nameOf = (id: string) => (id === me?.id ? `${me.name} (you)` : isNamed(id) ? name(id) : id)
  const subjects = subjectNames(listed)
  const columns = [
    { name: "When", cell: ({ timestamp }: Event) => <Time at={timestamp} /> },
    { name: "Who", cell: ({ actorId }: Event) => nameOf(actorId) },
    {
      name: "What",
      cell: (event: Event) => {
        const { data, subjectId = "" } = event
        const person = textOf(data["userId"]) ?? (isNamed(subjectId) ? subjectId : undefined)
        return (
          <>
            <code>{event.type}</code>
            <div className="wrap-anywhere">
              {person === undefined ? <EventSubject event={event} known={subjects} isTypeShown /> : nameOf(person)}
            </div>
          </>
        )
      }
    },
    {
      name: "Change",
      cell: ({ data }: Event) => {
        const changes = changesIn(data)
        return changes.length === 0 ? null : (
          <ul className="grid gap-0.5">
            {changes.map(({ after, before, field }) => (
              <li key={field} className="wrap-anywhere">
                {field}: <del>{before}</del> → <ins>{after}</ins>
              </li>
            ))}
          </ul>
        )
      }
    },
    {
      name: "Decision",
      cell: ({ decision }: Event) =>
        decision === undefined ? null : (
          <Badge tone={decision.verdict === "deny" ? "bad" : decision.verdict === "propose" ? "warn" : "good"}>
            {decision.verdict}
          </Badge>
        )
    },
    {
      name: "Content",
      cell: ({ data, id, subjectId }: Event) => (
        <details>
          <summary>Show</summary>
          <pre className="max-w-prose whitespace-pre-wrap">
            {JSON.stringify({ eventId: id, subjectId, data }, undefined, 2)}
          </pre>
        </details>
      )
    }
  ]
  return (
    <Panel
      title="What was done in your space"
      actions={
        <Button disabled={listed.length === 0} isBusy={save.isPending} onClick={() => save.mutate()}>
          Save all rows
        </Button>
      }
    >
      {save.error !== null && <ErrorBox error={save.error} />}
      <div className="grid max-w-4xl grid-cols-2 items-end gap-3 lg:grid-cols-4">
        <SelectField
          label="About"
          value={about ?? ""}
          onChange={({ target }) => choose({ ...range, ...(target.value === "" ? {} : { about: target.value }) })}
        >
          <option value="">Everything</option>
          {[...new Set([...subjectTypes, ...(about === undefined ? [] : [about])])].map((subject) => (
            <option key={subject} value={subject}>
              {subject}
            </option>
          ))}
        </SelectField>
        <TimeRangeFields
          range={range}
          none="All time"
          onChange={(next) => choose({ ...next, ...(about === undefined ? {} : { about }) })}
        />
      </div>
      <QueryResult what="the events of your space" query={events}>
        {({ answer: rows, next }) =>
          rows.length === 0 && after === undefined ? (
            <Empty title={isFiltered ? "Nothing of this sort was done yet." : "Nothing was done yet."}>
              {!isFiltered ? (
                <p>What you and your agents do appears here.</p>
              ) : (
                <Link to="/settings" search={{ show: "Audit" }}>
                  Show everything
                </Link>
              )}
            </Empty>
          ) : (
            <>
              <Table label="Events of your space" columns={columns} rows={rows} keyOf={({ id }) => id} />
              <Pager label="Pages of the audit" after={after} next={next} onGo={onGo} />
            </>
          )
        }
      </QueryResult>
    </Panel>
  )
}
