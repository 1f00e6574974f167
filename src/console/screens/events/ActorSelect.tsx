/** A field in which the person chooses who acted: the person or one of their agents. */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { SelectField } from "../../ui/Field.tsx"

interface ActorSelectProps {
  readonly value: string | undefined
  readonly onChoose: (actorId: string | undefined) => void
}

export const ActorSelect = ({ onChoose, value }: ActorSelectProps) => {
  const me = useQuery(hubQuery("GET /api/hub/users/me", {})).data
  const agents = useQuery(procedureQuery("agents.list", {})).data ?? []
  const choices = [...(me === undefined ? [] : [{ id: me.id, name: "You" }]), ...agents]
  return (
    <SelectField label="Actor" value={value ?? ""} onChange={({ target }) => onChoose(target.value || undefined)}>
      <option value="">Everybody</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {value !== undefined && !choices.some(({ id }) => id === value) && <option value={value}>{value}</option>}
    </SelectField>
  )
}
