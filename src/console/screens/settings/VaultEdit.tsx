/**
 * The form that changes an entry of the vault. An empty value field keeps the stored value. The console reads the notes
 * only when the form opens.
 */
import { type FormEvent, useState } from "react"
import { ask, change, type ProcedureOutput } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea, TextField, textsOf } from "../../ui/Field.tsx"
import { textOrNull } from "./VaultForm.tsx"

type OpenedEntry = ProcedureOutput<"secretsVault.get">

const EditForm = ({ entry, onDone }: { readonly entry: OpenedEntry; readonly onDone: () => void }) => {
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) =>
      change("secretsVault.update", {
        id: entry.id,
        expectedVersion: entry.version,
        name: (texts["name"] ?? "").trim(),
        ...(texts["value"] === "" ? {} : { value: texts["value"] ?? "" }),
        category: textOrNull(texts["category"]),
        url: textOrNull(texts["url"]),
        notes: textOrNull(texts["notes"])
      }),
    stale: ["secretsVault"],
    successMessage: ({ name }) => `${name} is changed.`,
    onDone
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField label="Name" name="name" required maxLength={200} autoComplete="off" defaultValue={entry.name} />
      <TextField
        label="New value"
        name="value"
        type="password"
        autoComplete="new-password"
        hint="Leave it empty to keep the value."
      />
      <TextField label="Category" name="category" autoComplete="off" defaultValue={entry.category ?? ""} />
      <TextField label="Address of the service" name="url" type="url" defaultValue={entry.url ?? ""} />
      <TextArea label="Notes" name="notes" rows={3} defaultValue={entry.notes ?? ""} />
      {write.error !== null && <ErrorBox error={write.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Save the changes
        </Button>
      </div>
    </form>
  )
}

export const VaultEdit = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const [opened, setOpened] = useState<OpenedEntry>()
  const read = useWrite({ run: () => ask("secretsVault.get", { id }), stale: [], onDone: setOpened })
  const close = () => setOpened(undefined)
  return (
    <>
      <Button aria-label={`Edit ${name}`} isBusy={read.isPending} onClick={() => read.mutate()}>
        Edit
      </Button>
      {read.error !== null && <ErrorBox error={read.error} />}
      <Dialog title={`Edit ${name}`} isOpen={opened !== undefined} onClose={close}>
        {opened !== undefined && <EditForm entry={opened} onDone={close} />}
      </Dialog>
    </>
  )
}
