/** Asks before the person leaves a form with changes that are not saved. */
import { useBlocker } from "@tanstack/react-router"
import { LeaveDialog } from "./LeaveDialog.tsx"

interface UnsavedGuardProps {
  /** The name of the form's record in the question, such as `the role Readers`. */
  readonly what: string
  readonly isChanged: boolean
  /** The search parameter of the page that names the open form. The form stays while this parameter stays the same. */
  readonly openedBy: string
}

export const UnsavedGuard = ({ isChanged, openedBy, what }: UnsavedGuardProps) => {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const valueOf = (search: object) => new Map(Object.entries(search)).get(openedBy)
      const isKept = current.pathname === next.pathname && valueOf(current.search) === valueOf(next.search)
      return isChanged && !isKept
    },
    enableBeforeUnload: () => isChanged,
    withResolver: true
  })
  return (
    <LeaveDialog title="Leave without saving?" leave="Leave without saving" leaving={leaving}>
      Your changes to {what} are not saved.
    </LeaveDialog>
  )
}
