/** The form that makes or changes a webhook. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextArea, TextField, textsOf } from "../../ui/Field.tsx"
import { ProposedNote } from "../../ui/ProposedNote.tsx"
import { oneOf } from "../../ui/searchValues.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { WorkspaceSelect } from "../../ui/WorkspaceSelect.tsx"
import { SecretShown } from "./SecretShown.tsx"
import type { Webhook } from "./webhookFacts.ts"

interface WebhookFormProps {
  /** The webhook to change. Absent for a new webhook. */
  readonly webhook?: Webhook | undefined
  readonly onDone: (id: string) => void
}

const lenses = ["all", "internal", "external"] as const
const retriesMax = 20
const retriesByDefault = 3

interface Outcome {
  readonly id?: string
  readonly secret?: string
  readonly proposalId?: string
}

const listOf = (text: string | undefined) => (text ?? "").split(/[\s,]+/).filter((type) => type !== "")

export const WebhookForm = ({ onDone, webhook }: WebhookFormProps) => {
  const queries = useQueryClient()
  const [workspaceId, setWorkspace] = useState(webhook?.workspaceId ?? undefined)
  const save = useMutation({
    mutationFn: async (texts: Readonly<Record<string, string>>): Promise<Outcome> => {
      const fields = {
        name: texts["name"] ?? "",
        url: texts["url"] ?? "",
        eventTypes: listOf(texts["eventTypes"]),
        lens: oneOf(texts["lens"], lenses) ?? "all",
        retryConfig: { maxRetries: Number(texts["maxRetries"]) }
      }
      if (webhook !== undefined) {
        const changed = await change("webhooks.update", { id: webhook.id, ...fields })
        return "proposalId" in changed ? { proposalId: changed.proposalId } : { id: changed.id }
      }
      const where = workspaceId === undefined ? {} : { workspaceId }
      const created = await change("webhooks.create", { ...fields, ...where })
      return "proposalId" in created
        ? { proposalId: created.proposalId }
        : { id: created.subscription.id, secret: created.secret }
    },
    onSuccess: ({ id, secret }) => {
      void queries.invalidateQueries({ queryKey: ["webhooks"] })
      if (id === undefined || secret !== undefined) return
      showToast({ text: "Saved the webhook." })
      onDone(id)
    }
  })
  const { id, proposalId, secret } = save.data ?? {}
  if (proposalId !== undefined) return <ProposedNote proposalId={proposalId} />
  if (secret !== undefined && id !== undefined) return <SecretShown secret={secret} onStored={() => onDone(id)} />
  return (
    <form
      aria-label={webhook === undefined ? "New webhook" : `Edit ${webhook.name}`}
      className="grid gap-3"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        save.mutate(textsOf(event.currentTarget))
      }}
    >
      <TextField label="Name" name="name" required defaultValue={webhook?.name} />
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        placeholder="https://example.com/hooks/pod"
        hint="Only public addresses, and those that the setting POD_WEBHOOK_ALLOW names."
        defaultValue={webhook?.url}
      />
      <TextArea
        label="Types of events"
        name="eventTypes"
        required
        rows={3}
        hint="One type on each line: entity.task.create, *.create for every type with this ending, or * for all."
        defaultValue={webhook?.eventTypes.join("\n") ?? "*"}
      />
      <SelectField label="Which events" name="lens" defaultValue={webhook?.lens ?? "all"}>
        <option value="all">All</option>
        <option value="internal">Only those from inside the pod</option>
        <option value="external">Only those that come from outside</option>
      </SelectField>
      <TextField
        label="Retries of a failed call"
        name="maxRetries"
        type="number"
        min={0}
        max={retriesMax}
        defaultValue={webhook?.retryConfig.maxRetries ?? retriesByDefault}
      />
      {webhook === undefined && (
        <WorkspaceSelect label="Events of" none="All my spaces" value={workspaceId} onChoose={setWorkspace} />
      )}
      {save.error !== null && <ErrorBox error={save.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={save.isPending}>
          {webhook === undefined ? "Create the webhook" : "Save"}
        </Button>
      </div>
    </form>
  )
}
