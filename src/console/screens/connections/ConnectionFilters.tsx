/** The filters of the list of connections. The address of the page contains their values. */
import { inputClass, SelectField, TextField } from "../../ui/Field.tsx"
import { type ConnectionsSearch, filters } from "./connectionRows.ts"

interface ConnectionFiltersProps {
  readonly search: ConnectionsSearch
  readonly onChange: (next: Partial<Record<keyof ConnectionsSearch, string | undefined>>) => void
}

const orNone = (text: string) => (text === "" ? undefined : text)

export const ConnectionFilters = ({ onChange, search }: ConnectionFiltersProps) => (
  <search className="grid grid-cols-2 gap-3 lg:grid-cols-4">
    <TextField
      label="Find"
      type="search"
      placeholder="Name, holder or last four"
      className={inputClass}
      value={search.q ?? ""}
      onChange={({ target }) => onChange({ q: orNone(target.value) })}
    />
    <SelectField
      label="Held by"
      value={search.holder ?? ""}
      onChange={({ target }) => onChange({ holder: orNone(target.value) })}
    >
      <option value="">Anybody</option>
      <option value="person">You</option>
      <option value="agent">Agents</option>
      <option value="app">Apps</option>
    </SelectField>
    <SelectField
      label="State"
      value={search.status ?? ""}
      onChange={({ target }) => onChange({ status: orNone(target.value) })}
    >
      <option value="">Any</option>
      <option value="active">Active</option>
      <option value="ended">Revoked or expired</option>
    </SelectField>
    <SelectField
      label="Which keys"
      value={search.only ?? ""}
      onChange={({ target }) => onChange({ only: orNone(target.value) })}
    >
      <option value="">All</option>
      {Object.entries(filters).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  </search>
)
