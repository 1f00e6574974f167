/** A field for the id of an entity. It suggests entities that contain the typed words. */
import { useQuery } from "@tanstack/react-query"
import { useDeferredValue, useId } from "react"
import { hubQuery } from "../../api/hub.ts"
import { TextField } from "../../ui/Field.tsx"

interface EntityFieldProps {
  readonly label: string
  /** The kind of the suggested entities. Null if entities of every kind are suggested. */
  readonly kind: string | null
  readonly value: string
  readonly fault?: string | undefined
  readonly isRequired?: boolean
  readonly onChange: (id: string) => void
}

const offeredMax = 8
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const EntityField = ({ fault, isRequired = false, kind, label, onChange, value }: EntityFieldProps) => {
  const listId = useId()
  const words = useDeferredValue(value.trim())
  const isId = idForm.test(words)
  const chosen = useQuery({ ...hubQuery("GET /api/hub/entities/:id", { params: { id: words } }), enabled: isId })
  const found = useQuery({
    ...hubQuery("GET /api/hub/entities", {
      query: { q: words, limit: offeredMax, ...(kind === null ? {} : { profileSlug: kind }) }
    }),
    enabled: !isId && words.length > 1
  })
  return (
    <>
      <TextField
        label={label}
        hint={isId && chosen.data !== undefined ? chosen.data.title : "Type words of the record, and choose it."}
        fault={fault}
        required={isRequired}
        list={listId}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={listId}>
        {found.data?.map(({ id, title }) => (
          <option key={id} value={id} label={title} />
        ))}
      </datalist>
    </>
  )
}
