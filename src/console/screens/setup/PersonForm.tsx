/** The form for somebody who joins the pod with a one-time link: name, e-mail and password. */
import type { FormEvent, ReactNode } from "react"
import { useState } from "react"
import { Refusal } from "../../api/refusal.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { NewPasswordField } from "../../ui/NewPasswordField.tsx"
import { passwordFault } from "./password.ts"

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

interface PersonFormProps {
  readonly submitName: string
  readonly isBusy: boolean
  readonly error: unknown
  /**
   * Called when the person submits the form. `texts` has the values of all fields by name, including the fields in
   * `further`.
   */
  readonly onSubmit: (person: NewPerson, texts: Readonly<Record<string, string>>) => void
  /** More fields, which the form shows above the button. */
  readonly further?: ReactNode
}

/** The pod's message about one field of the form. Undefined if there is none. */
const faultAt = (error: unknown, path: string): string | undefined =>
  error instanceof Refusal ? error.faults.find((each) => each.path === path)?.message : undefined

export const PersonForm = ({ submitName, isBusy, error, further, onSubmit }: PersonFormProps) => {
  const [password, setPassword] = useState("")
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const texts = textsOf(event.currentTarget)
    const person = {
      name: (texts["name"] ?? "").trim(),
      email: (texts["email"] ?? "").trim(),
      password: texts["password"] ?? ""
    }
    const fault = passwordFault(person.password)
    setPassword(fault)
    if (fault !== "") event.currentTarget.querySelector<HTMLInputElement>("[name=password]")?.focus()
    else onSubmit(person, texts)
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField label="Your name" name="name" autoComplete="name" maxLength={100} hint="Optional." />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={320}
        hint="You sign in with it. The pod sends no mail."
        fault={faultAt(error, "email")}
      />
      <NewPasswordField
        label="Password"
        name="password"
        fault={password === "" ? faultAt(error, "password") : password}
      />
      {further}
      {error !== null && <ErrorBox error={error} />}
      <Button type="submit" kind="primary" className="justify-center" isBusy={isBusy}>
        {submitName}
      </Button>
    </form>
  )
}
