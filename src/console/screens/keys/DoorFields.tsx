/**
 * The form fields for the scopes of a key, in plain words. They warn about scopes and permissions that together give no
 * access.
 */
import { CheckField, SelectField } from "../../ui/Field.tsx"
import { type KeyDraft, uselessPairs } from "./keyDraft.ts"
import { type Scope, scopeGroups } from "./scopeWords.ts"

interface DoorFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
}

const usual = scopeGroups.slice(0, 2)
const otherScopeGroups = scopeGroups.slice(2)

export const DoorFields = ({ draft, onChange }: DoorFieldsProps) => {
  const set = (scope: Scope, isOn: boolean) =>
    onChange({ ...draft, scopes: isOn ? [...draft.scopes, scope] : draft.scopes.filter((each) => each !== scope) })
  const group = ({ name, scopes }: (typeof scopeGroups)[number]) => (
    <fieldset key={name} className="grid content-start gap-2">
      <legend className="font-medium">{name}</legend>
      {scopes.map((word) => (
        <CheckField
          key={word.scope}
          label={word.name}
          hint={word.about}
          checked={draft.scopes.includes(word.scope)}
          onChange={({ target }) => set(word.scope, target.checked)}
        />
      ))}
    </fieldset>
  )
  const isFurtherOn = otherScopeGroups.some(({ scopes }) => scopes.some(({ scope }) => draft.scopes.includes(scope)))
  return (
    <div className="grid gap-3">
      <div className="grid gap-4 sm:grid-cols-2">{usual.map(group)}</div>
      <details open={isFurtherOn}>
        <summary>Chat, n8n and more</summary>
        <div className="grid gap-4 pt-2 sm:grid-cols-2">{otherScopeGroups.map(group)}</div>
      </details>
      <SelectField
        label="MCP tools"
        value={draft.toolProfile}
        onChange={({ target }) =>
          onChange({
            ...draft,
            toolProfile: target.value === "entry" || target.value === "builder" ? target.value : ""
          })
        }
      >
        <option value="">All that the scopes and the grant allow</option>
        <option value="entry">Entry: what one conversation needs</option>
        <option value="builder">Builder: reads everything and changes records</option>
      </SelectField>
      {uselessPairs(draft).map((warning) => (
        <p key={warning} className="bg-warn-soft text-warn rounded-md p-2">
          {warning}
        </p>
      ))}
    </div>
  )
}
