/** The form fields that set how long the key is valid. */
import { TextField } from "../../ui/Field.tsx"
import { daysDefault, type KeyDraft } from "./keyDraft.ts"

interface LifeFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
}

const choices = [30, daysDefault, 365] as const
const dayMs = 86_400_000

const dateOf = (days: number | null) =>
  days === null ? "" : new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

export const LifeFields = ({ draft, onChange }: LifeFieldsProps) => {
  const { days } = draft
  const set = (next: number | null) => onChange({ ...draft, days: next })
  return (
    <div className="grid gap-3">
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
        <legend className="sr-only">How long is it valid?</legend>
        {choices.map((choice) => (
          <label key={choice} className="flex items-center gap-2">
            <input type="radio" name="life" checked={days === choice} onChange={() => set(choice)} />
            {choice} days
          </label>
        ))}
        <label className="flex items-center gap-2">
          <input type="radio" name="life" checked={days === null} onChange={() => set(null)} />
          The key never ends
        </label>
      </fieldset>
      <TextField
        label="Or until a date"
        type="date"
        className="max-w-48"
        min={dateOf(1)}
        value={dateOf(days)}
        onChange={({ target }) => {
          const until = Date.parse(target.value)
          if (!Number.isNaN(until)) set(Math.max(1, Math.ceil((until - Date.now()) / dayMs)))
        }}
      />
    </div>
  )
}
