/** The form that makes a workspace. The person can choose a template of the pod, which sets the workspace up. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { hub, hubQuery } from "../../api/hub.ts"
import { useWrite, waitingWriteOf } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextField, textsOf } from "../../ui/Field.tsx"

const Form = ({ onMade }: { readonly onMade: () => void }) => {
  const navigate = useNavigate()
  // All attempts of this form have the same idempotency key, so a repeated request does not make a second workspace.
  const [once] = useState(() => crypto.randomUUID())
  const config = useQuery(hubQuery("GET /api/hub/pod/config", {}))
  const write = useWrite({
    run: async ({ name, template }: { readonly name: string; readonly template: string }) => {
      const answer = await hub("POST /api/hub/workspaces/from-definition", {
        body: { workspaceName: name, proposalId: once }
      })
      if (template !== "" && "created" in answer) {
        await hub("POST /api/hub/pod/adopt", { body: { workspaceId: answer.workspaceId, templateSlug: template } })
      }
      return answer
    },
    stale: ["workspaces", "discover"],
    onDone: (answer) => {
      onMade()
      if (waitingWriteOf(answer) === undefined && "created" in answer) {
        void navigate({ to: "/workspaces/$id", params: { id: answer.workspaceId } })
      }
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name = "", template = "" } = textsOf(event.currentTarget)
    write.mutate({ name: name.trim(), template })
  }
  const templates = config.data?.templates ?? []
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField label="Name" name="name" required maxLength={255} autoComplete="off" />
      <SelectField label="Begin with" name="template" defaultValue="">
        <option value="">Nothing (you can add kinds and views later)</option>
        {templates.map(({ description, name, slug }) => (
          <option key={slug} value={slug}>
            {name}: {description}
          </option>
        ))}
      </SelectField>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Create the workspace
        </Button>
      </div>
    </form>
  )
}

export const NewWorkspace = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button kind="primary" onClick={() => setOpen(true)}>
        New workspace
      </Button>
      <Dialog title="New workspace" isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen && <Form onMade={() => setOpen(false)} />}
      </Dialog>
    </div>
  )
}
