/**
 * The form that repeats failed deliveries (recover) or makes missing deliveries (replay), from a time that the person
 * chooses.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useId, useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { showToast } from "../../ui/Toasts.tsx"

interface SinceFormProps {
  readonly webhook: { readonly id: string; readonly name: string; readonly eventTypes: ReadonlyArray<string> }
  readonly what: "recover" | "replay"
}

const words = {
  recover: {
    button: "Recover failed",
    title: "Recover failed deliveries of",
    about: "Every delivery that failed since this time is tried again, the earliest first."
  },
  replay: {
    button: "Replay missing",
    title: "Replay missing events of",
    about:
      "The pod sends each event since this time that the webhook follows but has not received, such as an event during a pause."
  }
} as const

const dayMs = 86_400_000

/** A time in the format of the browser's date input: local time, to the minute. */
const localText = (ms: number): string => {
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const SinceForm = ({ webhook, what }: SinceFormProps) => {
  const queries = useQueryClient()
  const types = useId()
  const [isOpen, setOpen] = useState(false)
  const { about, button, title } = words[what]
  const act = useMutation({
    mutationFn: async ({ since: local = "", type = "", until = "" }: Readonly<Record<string, string>>) => {
      const since = new Date(local).toISOString()
      if (what === "replay") {
        const answer = await change("webhooks.replay", {
          id: webhook.id,
          since,
          ...(until === "" ? {} : { until: new Date(until).toISOString() }),
          ...(type.trim() === "" ? {} : { eventTypes: [type.trim()] })
        })
        return { answer, text: "The missing events are planned. Each one appears below when the pod sends it." }
      }
      const answer = await change("webhooks.recover", { id: webhook.id, since })
      const count = "count" in answer ? answer.count : 0
      return { answer, text: `${count} ${count === 1 ? "delivery is" : "deliveries are"} tried again.` }
    },
    onSuccess: ({ answer, text }) => {
      void queries.invalidateQueries({ queryKey: ["webhooks"] })
      if (proposalOf(answer) !== undefined) return
      setOpen(false)
      showToast({ text })
    }
  })
  const proposalId = proposalOf(act.data?.answer)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{button}</Button>
      <Dialog title={`${title} ${webhook.name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form
          className="grid gap-3"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            act.mutate(textsOf(event.currentTarget))
          }}
        >
          <TextField
            label="Since"
            name="since"
            type="datetime-local"
            required
            hint={`${about} At most 29 days ago.`}
            defaultValue={localText(Date.now() - dayMs)}
          />
          {what === "replay" && (
            <>
              <TextField label="Until" name="until" type="datetime-local" hint="Without a time: until now." />
              <TextField
                label="Only this type"
                name="type"
                list={types}
                maxLength={128}
                hint="A type of event, such as task.create. Without a type: everything that the webhook follows."
              />
              <datalist id={types}>
                {webhook.eventTypes.map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          )}
          {act.error !== null && <ErrorBox error={act.error} />}
          {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
          <div>
            <Button type="submit" kind="primary" isBusy={act.isPending}>
              {button}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
