/**
 * A search field above a list. The list shows only the rows that contain the typed text. The address of the page keeps
 * this text.
 */
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

/** True if one of the texts contains the wanted text, in small or capital letters. Also true if no text is wanted. */
export const hasText = (query: string | undefined, texts: ReadonlyArray<string | null | undefined>): boolean => {
  const text = query?.trim().toLowerCase() ?? ""
  return text === "" || texts.some((each) => each?.toLowerCase().includes(text) === true)
}
