/** The field for the name of the pod. */
import { Refusal } from "../../api/refusal.ts"
import { TextField } from "../../ui/Field.tsx"

interface PodNameFieldProps {
  readonly name?: string
  readonly error?: unknown
}

// The pod accepts a name of at most this many characters.
const longest = 80

export const PodNameField = ({ error, name = "" }: PodNameFieldProps) => (
  <TextField
    label="Name of the pod"
    name="podName"
    autoComplete="off"
    maxLength={longest}
    defaultValue={name}
    hint="Optional. Everybody sees it: on the sign-in page and in the title of the browser."
    fault={error instanceof Refusal ? error.faults.find(({ path }) => path === "name")?.message : undefined}
  />
)
