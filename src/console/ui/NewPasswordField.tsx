/**
 * A field for a new password. It shows how hard the password is to guess, and shows the password itself if the person
 * wants this.
 */
import { useState } from "react"
import { lengthMax, strengthOf } from "../screens/setup/password.ts"
import { Button } from "./Button.tsx"
import { Field, inputClass } from "./Field.tsx"

interface NewPasswordProps {
  readonly label: string
  readonly name: string
  readonly fault?: string | undefined
}

export const NewPasswordField = ({ label, name, fault }: NewPasswordProps) => {
  const [text, setText] = useState("")
  const [isShown, setShown] = useState(false)
  return (
    <Field
      label={label}
      fault={fault}
      hint={
        <>
          12 to 128 characters. Four random words make a good password.{" "}
          <span role="status">{text === "" ? "" : `Strength: ${strengthOf(text)}.`}</span>
        </>
      }
    >
      {(wiring) => (
        <div className="flex gap-2">
          <input
            {...wiring}
            name={name}
            type={isShown ? "text" : "password"}
            autoComplete="new-password"
            required
            maxLength={lengthMax}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className={inputClass}
          />
          <Button className="shrink-0" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide" : "Show"}
          </Button>
        </div>
      )}
    </Field>
  )
}
