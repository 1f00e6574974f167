/** The actions that a person can take on one webhook. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { ProposedNote, proposalOf } from "../../ui/ProposedNote.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { SecretShown } from "./SecretShown.tsx"
import { SinceForm } from "./SinceForm.tsx"
import type { Webhook } from "./webhookFacts.ts"
import { WebhookForm } from "./WebhookForm.tsx"

interface WebhookActionsProps {
  readonly webhook: Webhook
  readonly onGone: () => void
}

export const WebhookActions = ({ onGone, webhook }: WebhookActionsProps) => {
  const queries = useQueryClient()
  const [isEdited, setEdited] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { active, disabledReason, id, name } = webhook
  const refresh = () => queries.invalidateQueries({ queryKey: ["webhooks"] })
  const isStopped = !active || disabledReason !== null
  const toggle = useMutation({
    mutationFn: () => change("webhooks.update", { id, active: isStopped }),
    onSuccess: (answer) => {
      void refresh()
      if (proposalOf(answer) === undefined)
        showToast({ text: isStopped ? `${name} is called again.` : `Paused ${name}.` })
    }
  })
  const test = useMutation({
    mutationFn: () => change("webhooks.test", { id }),
    onSuccess: (answer) => {
      void refresh()
      if (proposalOf(answer) === undefined) showToast({ text: "A test event is on its way." })
    }
  })
  const rotate = async () => {
    const answer = await change("webhooks.rotateSecret", { id })
    void refresh()
    if ("secret" in answer) setSecret(answer.secret)
    else showToast({ text: "The rotation became a proposal. It waits in the inbox." })
  }
  const remove = async () => {
    const answer = await change("webhooks.delete", { id })
    void refresh()
    if (proposalOf(answer) !== undefined)
      return showToast({ text: "The deletion became a proposal. It waits in the inbox." })
    showToast({ text: `Deleted ${name}.` })
    onGone()
  }
  const error = toggle.error ?? test.error
  const proposalId = proposalOf(toggle.data) ?? proposalOf(test.data)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          Send test
        </Button>
        <Button isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {isStopped ? "Resume" : "Pause"}
        </Button>
        <SinceForm webhook={webhook} what="recover" />
        <SinceForm webhook={webhook} what="replay" />
        <Button onClick={() => setEdited(true)}>Edit</Button>
        <ConfirmButton name="Rotate secret" question={`Create a new secret for ${name}?`} onConfirm={rotate}>
          <p>
            For 24 hours each call is signed with both secrets in <code>webhook-signature</code>. The older header{" "}
            <code>x-svc-signature</code> has the new one at once.
          </p>
        </ConfirmButton>
        <ConfirmButton name="Delete" question={`Delete ${name}?`} onConfirm={remove}>
          <p>The pod stops calling {webhook.url}, and deletes its deliveries.</p>
        </ConfirmButton>
      </div>
      {error !== null && <ErrorBox error={error} />}
      {proposalId !== undefined && <ProposedNote proposalId={proposalId} />}
      <Dialog title={`Edit ${name}`} shape="drawer" isOpen={isEdited} onClose={() => setEdited(false)}>
        <WebhookForm webhook={webhook} onDone={() => setEdited(false)} />
      </Dialog>
      <Dialog title={`New secret of ${name}`} isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        {secret !== undefined && (
          <SecretShown secret={secret} onStored={() => setSecret(undefined)}>
            <p>The pod also signs with the former secret for the next 24 hours.</p>
          </SecretShown>
        )}
      </Dialog>
    </div>
  )
}
