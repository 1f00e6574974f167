/** Gives a key another name. The rights of the key do not change. */
import type { FormEvent } from "react"
import { change } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import type { Key } from "../keys/keyDraft.ts"

interface RenameFormProps {
  readonly of: Key
  readonly onClose: () => void
}

const RenameForm = ({ of, onClose }: RenameFormProps) => {
  const rename = useWrite({
    run: (keyName: string) => change("apiKeys.rename", { keyId: of.id, keyName }),
    stale: ["apiKeys", "connections"],
    successMessage: ({ keyName }) => `The key is called ${keyName} now.`,
    onDone: onClose
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate((textsOf(event.currentTarget)["name"] ?? "").trim())
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField
        label="Name of the key"
        name="name"
        defaultValue={of.keyName}
        maxLength={100}
        required
        hint={`…${of.lastFour}. Programs that hold the key notice nothing.`}
      />
      {rename.error !== null && <ErrorBox error={rename.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={rename.isPending}>
          Rename
        </Button>
      </div>
    </form>
  )
}

export const RenameDialog = ({ of, onClose }: { readonly of: Key | undefined; readonly onClose: () => void }) => (
  <Dialog title="Rename this key" isOpen={of !== undefined} onClose={onClose}>
    {of !== undefined && <RenameForm of={of} onClose={onClose} />}
  </Dialog>
)
