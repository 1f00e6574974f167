/** A field in which the person chooses one of their workspaces, or all of them. */
import { useOfferedWorkspaces } from "../api/hiddenSample.ts"
import { SelectField } from "./Field.tsx"

interface WorkspaceSelectProps {
  readonly label?: string
  /** The text of the option that selects all workspaces, such as `Everywhere`. */
  readonly none: string
  readonly value: string | undefined
  readonly onChoose: (workspaceId: string | undefined) => void
}

export const WorkspaceSelect = ({ label = "Workspace", none, onChoose, value }: WorkspaceSelectProps) => {
  const offered = useOfferedWorkspaces(value)
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
