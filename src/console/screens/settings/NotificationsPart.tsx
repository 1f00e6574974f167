/**
 * The settings for notifications: the kinds of notifications that the person gets, and the times without notifications.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { type AnswerOf, hub, hubQuery, type InputOf } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"

type Preferences = AnswerOf<"GET /api/hub/notifications/preferences">
type Kind = keyof Preferences["kinds"]
type Change = NonNullable<InputOf<"PATCH /api/hub/notifications/preferences">["body"]>

const kinds: ReadonlyArray<readonly [Kind, string]> = [
  ["proposal_waiting", "A proposal waits for me"],
  ["proposal_decided", "My proposal was decided"],
  ["webhook_failing", "A webhook fails"],
  ["key_ending", "A key ends soon"],
  ["mention", "Somebody mentions me"],
  ["automation_failed", "An automation fails"],
  ["automation_notice", "An automation tells me something"],
  ["post", "An agent posts something to me"]
]

const Form = ({ now }: { readonly now: Preferences }) => {
  const [isQuiet, setQuiet] = useState(now.quietHours !== null)
  const workspaces = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const write = useWrite({
    run: (body: Change) => hub("PATCH /api/hub/notifications/preferences", { body }),
    stale: ["notifications"],
    successMessage: () => "Your notification settings are saved."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { from = "", to = "", timezone = "" } = textsOf(event.currentTarget)
    const chosen = new Set(form.getAll("kind"))
    // If the person has left a muted workspace, the list does not contain the workspace. The workspace stays muted.
    const shown = new Set(workspaces.data?.workspaces.map(({ id }) => id))
    const hidden = now.mutedWorkspaceIds.filter((id) => !shown.has(id))
    write.mutate({
      kinds: Object.fromEntries(kinds.map(([kind]) => [kind, chosen.has(kind)])),
      quietHours: isQuiet ? { from, to, timezone } : null,
      alertsPassQuietHours: form.has("alerts"),
      mutedWorkspaceIds: [...hidden, ...form.getAll("muted").map(String)]
    })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">Tell me when</legend>
        {kinds.map(([kind, name]) => (
          <CheckField key={kind} label={name} name="kind" value={kind} defaultChecked={now.kinds[kind]} />
        ))}
      </fieldset>
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">Quiet hours</legend>
        <CheckField
          label="Hold notifications for some hours of the day"
          checked={isQuiet}
          onChange={({ target }) => setQuiet(target.checked)}
        />
        {isQuiet && (
          <div className="grid gap-3 sm:grid-cols-3">
            <TextField label="From" name="from" type="time" required defaultValue={now.quietHours?.from ?? "22:00"} />
            <TextField label="To" name="to" type="time" required defaultValue={now.quietHours?.to ?? "07:00"} />
            <TextField
              label="Time zone"
              name="timezone"
              required
              defaultValue={now.quietHours?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
            />
          </div>
        )}
        <CheckField label="Alerts come in quiet hours too" name="alerts" defaultChecked={now.alertsPassQuietHours} />
      </fieldset>
      {(workspaces.data?.workspaces.length ?? 0) > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">Mute these workspaces</legend>
          {workspaces.data?.workspaces.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              name="muted"
              value={id}
              defaultChecked={now.mutedWorkspaceIds.includes(id)}
            />
          ))}
        </fieldset>
      )}
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

export const NotificationsPart = () => {
  const preferences = useQuery(hubQuery("GET /api/hub/notifications/preferences", {}))
  return (
    <Panel title="Notifications">
      <QueryResult what="your notification settings" query={preferences}>
        {(now) => <Form now={now} />}
      </QueryResult>
    </Panel>
  )
}
