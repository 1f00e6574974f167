/** Replaces the table of a kind that has no records yet, in the whole pod or in the chosen workspace. */
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/Page.tsx"

interface EmptyKindProps {
  readonly name: string
  readonly isInWorkspace: boolean
  readonly onNew: () => void
  /** Shows the records of all workspaces. Undefined if the list always shows one space. */
  readonly onEverywhere?: (() => void) | undefined
}

export const EmptyKind = ({ isInWorkspace, name, onEverywhere, onNew }: EmptyKindProps) => (
  <Empty title={isInWorkspace ? `No ${name} in this workspace yet.` : `No ${name} yet.`}>
    <div className="flex flex-wrap gap-2">
      <Button onClick={onNew}>New {name}</Button>
      {isInWorkspace && onEverywhere !== undefined && <Button onClick={onEverywhere}>Look in all workspaces</Button>}
    </div>
  </Empty>
)
