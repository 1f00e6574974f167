/** A field that limits a list of the screen to the rows with a text. The address of the page keeps the text. */
import { TextField } from "./Field.tsx"

interface FindFieldProps {
  readonly hint: string
  readonly value: string | undefined
  readonly onChange: (text: string | undefined) => void
}

export const FindField = ({ hint, onChange, value }: FindFieldProps) => (
  <search className="max-w-96">
    <TextField
      label="Find"
      type="search"
      hint={hint}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    />
  </search>
)

/** Whether one of the texts contains the wanted text. Capital letters do not matter. No wanted text fits everything. */
export const hasText = (wanted: string | undefined, texts: ReadonlyArray<string | null | undefined>): boolean => {
  const text = wanted?.trim().toLowerCase() ?? ""
  return text === "" || texts.some((each) => each?.toLowerCase().includes(text) === true)
}
