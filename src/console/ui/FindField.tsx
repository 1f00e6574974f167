/**
 * A search field above a list. The list shows only the rows that contain the typed text. The address of the page keeps
 * this text.
 */
import { inputClass } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

interface FindFieldProps {
  /** What the search compares, such as "Name or state". The empty field shows this text. */
  readonly hint: string
  readonly value: string | undefined
  readonly onChange: (text: string | undefined) => void
}

export const FindField = ({ hint, onChange, value }: FindFieldProps) => (
  <search className="relative w-full max-w-96">
    <Icon name="search" className="text-muted pointer-events-none absolute top-2.5 left-2.5" />
    <input
      type="search"
      aria-label="Find"
      placeholder={hint}
      className={`${inputClass} pl-8.5`}
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
