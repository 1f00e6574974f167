/** The form that stores a new secret in the vault. */
import { type FormEvent, useState } from "react"
import { change } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea, TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"

/** Trims a typed text. An empty text becomes null, as the pod expects. */
export const textOrNull = (text: string | undefined): string | null => {
  const trimmed = (text ?? "").trim()
  return trimmed === "" ? null : trimmed
}

export const VaultForm = () => {
  // The React key of the form. A new number makes a new, empty form.
  const [round, setRound] = useState(0)
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) =>
      change("secretsVault.create", {
        name: (texts["name"] ?? "").trim(),
        value: texts["value"] ?? "",
        category: textOrNull(texts["category"]),
        url: textOrNull(texts["url"]),
        notes: textOrNull(texts["notes"])
      }),
    stale: ["secretsVault"],
    successMessage: ({ name }) => `${name} is saved.`,
    onDone: () => setRound(round + 1)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  return (
    <Panel title="New secret">
      <form key={round} onSubmit={submit} className="grid gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField label="Name" name="name" required maxLength={200} autoComplete="off" />
          <TextField label="Value" name="value" type="password" required autoComplete="new-password" />
          <TextField label="Category" name="category" hint="Optional." autoComplete="off" />
          <TextField label="Address of the service" name="url" type="url" hint="Optional." autoComplete="off" />
        </div>
        <TextArea label="Notes" name="notes" hint="Optional. Encrypted like the value." rows={2} />
        {write.error !== null && <ErrorBox error={write.error} />}
        <div>
          <Button type="submit" kind="primary" isBusy={write.isPending}>
            Create the secret
          </Button>
        </div>
      </form>
    </Panel>
  )
}
