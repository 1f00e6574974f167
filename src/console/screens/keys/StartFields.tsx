/**
 * The fields in which the person chooses the starting point of a new key: a built-in recipe, or an access role. Later
 * changes of the role do not change the key.
 */
import { useQuery } from "@tanstack/react-query"
import { allRolesQuery } from "../../api/wholeLists.ts"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { fromRole, type KeyDraft, recipes } from "./keyDraft.ts"

interface StartFieldsProps {
  readonly draft: KeyDraft
  /** The id of the chosen recipe. Undefined if none is chosen. A chosen role is stored in the draft. */
  readonly recipe: string | undefined
  readonly onChange: (draft: KeyDraft, recipe: string | undefined) => void
}

const Card = ({
  about,
  isTaken,
  name,
  onTake
}: {
  readonly name: string
  readonly about: string
  readonly isTaken: boolean
  readonly onTake: () => void
}) => (
  <button
    type="button"
    aria-pressed={isTaken}
    onClick={onTake}
    className="border-control bg-panel hover:bg-accent-soft aria-pressed:border-accent aria-pressed:bg-chosen grid content-start gap-1 rounded-md border p-3 text-left"
  >
    <span className="font-medium">
      {isTaken ? "✓ " : ""}
      {name}
    </span>
    <span className="text-muted">{about}</span>
  </button>
)

export const StartFields = ({ draft, onChange, recipe }: StartFieldsProps) => {
  const roles = useQuery(allRolesQuery)
  return (
    <div className="grid gap-3">
      <div className="grid gap-2 sm:grid-cols-2">
        {recipes.map(({ about, gives, id, name }) => (
          <Card
            key={id}
            name={name}
            about={about}
            isTaken={recipe === id}
            onTake={() => onChange({ ...draft, roleId: null, ...gives }, id)}
          />
        ))}
      </div>
      {roles.error !== null && <ErrorBox error={roles.error} onRetry={() => void roles.refetch()} />}
      {(roles.data ?? []).length > 0 && (
        <>
          <h3 className="font-medium">Your access roles</h3>
          <div className="grid gap-2 sm:grid-cols-2">
            {roles.data?.map((role) => (
              <Card
                key={role.id}
                name={role.name}
                about={role.description ?? "An access role of yours."}
                isTaken={draft.roleId === role.id}
                onTake={() => onChange(fromRole(draft, role), undefined)}
              />
            ))}
          </div>
          <p className="text-muted">
            The key keeps the grant that the role has now. Later edits of the role will not change this key.
          </p>
        </>
      )}
    </div>
  )
}
