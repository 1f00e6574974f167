/** The form that makes the link of an invitation. */
import { type FormEvent, useState } from "react"
import { type AnswerOf, hub } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, TextField, textsOf } from "../../ui/Field.tsx"

type NewInvitation = AnswerOf<"POST /api/hub/invitations">

const lives = [
  { days: 1, name: "1 day" },
  { days: 7, name: "7 days" },
  { days: 30, name: "30 days" }
]

const roles = ["viewer", "editor", "admin"] as const

interface InviteFormProps {
  /**
   * The workspaces from which the person chooses. If this is a string, it is the id of the one workspace for all
   * invitations.
   */
  readonly workspaces: ReadonlyArray<{ readonly id: string; readonly name: string }> | string
  readonly onMade: (invitation: NewInvitation) => void
}

export const InviteForm = ({ workspaces, onMade }: InviteFormProps) => {
  const [choice, setChoice] = useState("")
  const workspaceId = typeof workspaces === "string" ? workspaces : choice
  // The React key of the form. A new number makes a new, empty form.
  const [round, setRound] = useState(0)
  const write = useWrite({
    run: (texts: Readonly<Record<string, string>>) => {
      const note = (texts["note"] ?? "").trim()
      return hub("POST /api/hub/invitations", {
        body: {
          note: note === "" ? null : note,
          expiresInDays: Number(texts["days"]),
          ...(workspaceId === ""
            ? {}
            : { workspaceId, role: roles.find((role) => role === texts["role"]) ?? ("editor" as const) })
        }
      })
    },
    stale: ["invitations"],
    onDone: (invitation) => {
      setRound(round + 1)
      setChoice("")
      onMade(invitation)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(textsOf(event.currentTarget))
  }
  return (
    <form key={round} onSubmit={submit} className="grid gap-3">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <TextField
          label="Who is it for?"
          name="note"
          maxLength={200}
          hint="Your own words. The person does not see them."
        />
        <SelectField label="The link works for" name="days" defaultValue="7">
          {lives.map(({ days, name }) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
        </SelectField>
        {typeof workspaces !== "string" && (
          <SelectField
            label="Also joins the workspace"
            value={choice}
            onChange={({ target }) => setChoice(target.value)}
          >
            <option value="">None</option>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField label="Role there" name="role" defaultValue="editor" disabled={workspaceId === ""}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </SelectField>
      </div>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Create the link
        </Button>
      </div>
    </form>
  )
}
