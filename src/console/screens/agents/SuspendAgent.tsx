/** Suspends an agent after the person has confirmed this. Also makes a suspended agent active again. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import type { Agent } from "./AgentForm.tsx"

export const SuspendAgent = ({ agent }: { readonly agent: Agent }) => {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const set = useMutation({
    mutationFn: (isSuspended: boolean) => change("agents.update", { agentId: agent.id, isSuspended }),
    onSuccess: async ({ isSuspended, name }) => {
      setOpen(false)
      showToast({ text: isSuspended ? `${name} is suspended.` : `${name} is active again.` })
      await Promise.all(["agents", "agentConfigs"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
    }
  })
  if (agent.isSuspended) {
    return (
      <>
        <Button isBusy={set.isPending} onClick={() => set.mutate(false)}>
          End the suspension
        </Button>
        {set.error !== null && <ErrorBox error={set.error} />}
      </>
    )
  }
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Suspend
      </Button>
      <Dialog title={`Suspend ${agent.name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>Its running calls end, and none of its keys works until you end the suspension.</p>
        {set.error !== null && <ErrorBox error={set.error} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" isBusy={set.isPending} onClick={() => set.mutate(true)}>
            Suspend {agent.name}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  )
}
