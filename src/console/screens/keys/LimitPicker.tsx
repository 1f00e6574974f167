/** Form fields for where a grant applies: everywhere, or only in items that the person picks from a searchable list. */
import { useQuery } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { hubQuery } from "../../api/hub.ts"
import { allProjectsQuery } from "../../api/wholeLists.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { ignoreEnter, inputClass } from "../../ui/Field.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"

interface Choice {
  readonly id: string
  readonly name: string
}

interface LimitPickerProps {
  /** The plural name of the items to pick, such as `workspaces`. */
  readonly noun: string
  readonly everywhere: string
  readonly chosen: ReadonlyArray<string> | null
  readonly onChange: (chosen: ReadonlyArray<string> | null) => void
}

interface ListProps extends LimitPickerProps {
  readonly choices: ReadonlyArray<Choice>
  readonly error: unknown
  /** Reads the choices again. */
  readonly onRetry: () => unknown
  readonly text: string
  readonly onText: (text: string) => void
}

const Picker = ({ choices, chosen, error, everywhere, noun, onChange, onRetry, onText, text }: ListProps) => {
  const query = text.trim().toLowerCase()
  const picked = chosen ?? []
  const shown = choices.filter(({ id, name }) => name.toLowerCase().includes(query) || picked.includes(id))
  // If a picked id is no longer in the list, it still limits the grant, so the picker still shows it.
  const unknown = picked.filter((id) => choices.every((choice) => choice.id !== id))
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="font-medium capitalize">{noun}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <label className="flex items-center gap-2">
          <input type="radio" checked={chosen === null} onChange={() => onChange(null)} />
          {everywhere}
        </label>
        <label className="flex items-center gap-2">
          <input type="radio" checked={chosen !== null} onChange={() => onChange(picked)} />
          Only these {noun}
          {chosen !== null && <Badge tone={picked.length === 0 ? "warn" : "accent"}>{picked.length} chosen</Badge>}
        </label>
      </div>
      {chosen !== null && (
        <div className="border-line grid gap-2 rounded-md border p-2">
          <input
            type="search"
            aria-label={`Find ${noun}`}
            placeholder={`Find ${noun}`}
            className={inputClass}
            value={text}
            onChange={({ target }) => onText(target.value)}
            onKeyDown={ignoreEnter}
          />
          {error !== null && <ErrorBox error={error} onRetry={() => void onRetry()} />}
          <ul className="grid max-h-48 gap-1 overflow-y-auto" aria-label={noun} tabIndex={0}>
            {[...unknown.map((id) => ({ id, name: `${id} (not visible to you now)` })), ...shown].map(
              ({ id, name }) => (
                <li key={id}>
                  <label className="flex items-start gap-2">
                    <input
                      type="checkbox"
                      className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
                      checked={picked.includes(id)}
                      onChange={({ target }) =>
                        onChange(target.checked ? [...picked, id] : picked.filter((each) => each !== id))
                      }
                    />
                    {name}
                  </label>
                </li>
              )
            )}
          </ul>
          {shown.length === 0 &&
            unknown.length === 0 &&
            error === null &&
            (query === "" ? (
              <p className="text-muted">You see no {noun} yet.</p>
            ) : (
              <NoMatch one={noun.replace(/s$/, "")} many={noun} text={text} onClear={() => onText("")} />
            ))}
        </div>
      )}
    </fieldset>
  )
}

export const WorkspacePicker = (props: Omit<LimitPickerProps, "noun" | "everywhere">) => {
  const [text, setText] = useState("")
  const { data = [], error, refetch } = useQuery(procedureQuery("workspaces.list", {}))
  return (
    <Picker
      {...props}
      noun="workspaces"
      everywhere="All that I can see"
      choices={data}
      error={error}
      onRetry={refetch}
      text={text}
      onText={setText}
    />
  )
}

export const ProjectPicker = (props: Omit<LimitPickerProps, "noun" | "everywhere">) => {
  const [text, setText] = useState("")
  const { data = [], error, refetch } = useQuery(allProjectsQuery)
  return (
    <Picker
      {...props}
      noun="projects"
      everywhere="No limit by project"
      choices={data}
      error={error}
      onRetry={refetch}
      text={text}
      onText={setText}
    />
  )
}

export const ObjectPicker = (props: Omit<LimitPickerProps, "noun" | "everywhere">) => {
  const [text, setText] = useState("")
  const words = useDeferredValue(text.trim())
  const {
    data = [],
    error,
    refetch
  } = useQuery({
    ...hubQuery("GET /api/hub/entities", { query: { q: words, limit: 20 } }),
    enabled: props.chosen !== null
  })
  return (
    <Picker
      {...props}
      noun="objects"
      everywhere="No limit by object"
      choices={data.map(({ id, title }) => ({ id, name: title }))}
      error={error}
      onRetry={refetch}
      text={text}
      onText={setText}
    />
  )
}
