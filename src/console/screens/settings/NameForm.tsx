/** The form with which a person changes their own name. */
import type { FormEvent } from "react"
import { hub } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { renameSession } from "../../api/session.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"

// The pod accepts a name of at most this many characters.
const longest = 100

export const NameForm = ({ name }: { readonly name: string }) => {
  const write = useWrite({
    run: (next: string) => hub("PATCH /api/hub/users/me", { body: { name: next } }),
    stale: ["users", "people", "workspaces"],
    successMessage: (person) => `Your name is ${person.name} now.`,
    onDone: (person) => renameSession(person.name)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate((textsOf(event.currentTarget)["name"] ?? "").trim())
  }
  return (
    <form key={name} aria-label="Your name" onSubmit={submit} className="grid gap-3">
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={longest}
        defaultValue={name}
        hint="Other people see it beside what you do."
        fault={
          write.error instanceof Refusal ? write.error.faults.find(({ path }) => path === "name")?.message : undefined
        }
      />
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" isBusy={write.isPending}>
          Save your name
        </Button>
      </div>
    </form>
  )
}
