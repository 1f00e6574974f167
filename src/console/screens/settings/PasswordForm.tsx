/**
 * The form that changes the person's own password. The person must also type the current password. The change ends the
 * person's other sessions.
 */
import { type FormEvent, useRef, useState } from "react"
import { hub } from "../../api/hub.ts"
import { Refusal } from "../../api/refusal.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { NewPasswordField } from "../../ui/NewPasswordField.tsx"
import { Panel } from "../../ui/Page.tsx"
import { passwordFault } from "../setup/password.ts"

export const PasswordForm = () => {
  const form = useRef<HTMLFormElement>(null)
  // The React key of the form. A new number makes a new, empty form.
  const [round, setRound] = useState(0)
  const [fault, setFault] = useState("")
  const write = useWrite({
    run: (body: { currentPassword: string; newPassword: string }) => hub("POST /api/hub/users/me/password", { body }),
    stale: ["sessions"],
    successMessage: ({ message }) => message,
    onDone: () => setRound(round + 1)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { current = "", next = "" } = textsOf(event.currentTarget)
    const found = passwordFault(next)
    setFault(found)
    if (found === "") write.mutate({ currentPassword: current, newPassword: next })
    else form.current?.querySelector<HTMLInputElement>("[name=next]")?.focus()
  }
  const faultAt = (path: string) =>
    write.error instanceof Refusal ? write.error.faults.find((each) => each.path === path)?.message : undefined
  return (
    <Panel title="Password">
      <form key={round} ref={form} onSubmit={submit} className="grid gap-4">
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          maxLength={1024}
          fault={faultAt("currentPassword")}
        />
        <NewPasswordField label="New password" name="next" fault={fault === "" ? faultAt("newPassword") : fault} />
        {write.error !== null && <ErrorBox error={write.error} />}
        <div>
          <Button type="submit" kind="primary" isBusy={write.isPending}>
            Change the password
          </Button>
        </div>
        <p className="text-muted">Your other sessions end. Your keys go on working.</p>
      </form>
    </Panel>
  )
}
