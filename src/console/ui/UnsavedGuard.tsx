/** Asks before the person leaves a form with changes that are not saved. */
import { useBlocker } from "@tanstack/react-router"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

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
      const valueOf = (search: object) => (search as Readonly<Record<string, unknown>>)[openedBy]
      const isKept = current.pathname === next.pathname && valueOf(current.search) === valueOf(next.search)
      return isChanged && !isKept
    },
    enableBeforeUnload: () => isChanged,
    withResolver: true
  })
  return (
    <Dialog
      title="Leave without saving?"
      isOpen={leaving.status === "blocked"}
      onClose={() => leaving.status === "blocked" && leaving.reset()}
    >
      <p>Your changes to {what} are not saved.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={leaving.proceed}>Leave without saving</Button>
        <Button kind="primary" onClick={leaving.reset}>
          Stay here
        </Button>
      </div>
    </Dialog>
  )
}
