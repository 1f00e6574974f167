/** The button that deletes an access role. It first asks the person in a dialog that names the role. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import type { Role } from "../keys/keyDraft.ts"

export const DeleteRole = ({ onDone, role }: { readonly role: Role; readonly onDone: () => void }) => {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () => change("roles.delete", { roleId: role.id }),
    onSuccess: async () => {
      await Promise.all(["roles", "apiKeys"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
      showToast({ text: `The role ${role.name} is deleted.` })
      onDone()
    }
  })
  return (
    <>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <Dialog title={`Delete the role ${role.name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>Keys that were made from it stay valid with the grant that they have.</p>
        {remove.error !== null && <ErrorBox error={remove.error} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Delete {role.name}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  )
}
