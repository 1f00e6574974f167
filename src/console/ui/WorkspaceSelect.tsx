/** A field in which the person chooses one of their workspaces, or all of them. */
import { useQuery } from "@tanstack/react-query"
import { useHiddenWorkspaces } from "../api/hiddenSample.ts"
import { hubQuery } from "../api/hub.ts"
import { SelectField } from "./Field.tsx"

interface WorkspaceSelectProps {
  readonly label?: string
  /** The text of the option that selects all workspaces, such as `Everywhere`. */
  readonly none: string
  readonly value: string | undefined
  readonly onChoose: (workspaceId: string | undefined) => void
}

export const WorkspaceSelect = ({ label = "Workspace", none, onChoose, value }: WorkspaceSelectProps) => {
  const { data } = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const hidden = useHiddenWorkspaces()
  const offered = data?.workspaces.filter(({ id }) => !hidden.ids.includes(id) || id === value)
  return (
    <SelectField label={label} value={value ?? ""} onChange={({ target }) => onChoose(target.value || undefined)}>
      <option value="">{none}</option>
      {offered?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
