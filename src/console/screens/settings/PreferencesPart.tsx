/** The person's preferences for the look of clients. The console applies the chosen theme at once. */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change, procedureQuery, type ProcedureInput, type ProcedureOutput } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { areShortcutsOn, setShortcuts } from "../../shell/shortcuts.ts"
import { applyTheme, type Theme } from "../../shell/theme.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, SelectField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"

type Preferences = ProcedureOutput<"preferences.get">
type Change = NonNullable<ProcedureInput<"preferences.set">>
type ViewMode = Preferences["viewModes"]["entities"]

const themes: ReadonlyArray<readonly [Theme, string]> = [
  ["system", "Same as the system"],
  ["light", "Light"],
  ["dark", "Dark"]
]
const modes: ReadonlyArray<ViewMode> = ["grid", "list", "table", "gallery", "kanban", "calendar"]
const lists = ["entities", "documents", "views"] as const

const modeIn = (text: string | undefined): ViewMode => modes.find((mode) => mode === text) ?? "list"

const Form = ({ now }: { readonly now: Preferences }) => {
  const write = useWrite({
    run: (input: Change) => change("preferences.set", input),
    stale: ["preferences"],
    successMessage: () => "Your preferences are saved."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const texts = textsOf(event.currentTarget)
    const theme = themes.find(([each]) => each === texts["theme"])?.[0] ?? "system"
    applyTheme(theme)
    write.mutate({
      theme,
      viewModes: {
        entities: modeIn(texts["entities"]),
        documents: modeIn(texts["documents"]),
        views: modeIn(texts["views"])
      }
    })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <SelectField label="Colours" name="theme" defaultValue={now.theme}>
          {themes.map(([theme, name]) => (
            <option key={theme} value={theme}>
              {name}
            </option>
          ))}
        </SelectField>
        {lists.map((list) => (
          <SelectField key={list} label={`Lists of ${list}`} name={list} defaultValue={now.viewModes[list]}>
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {mode}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

export const PreferencesPart = () => {
  const preferences = useQuery(procedureQuery("preferences.get", {}))
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <div className="grid gap-4">
      <Panel title="Preferences">
        <p className="text-muted">
          Every program that you connect can read them. The console itself uses the colours, and shows every list as a
          table.
        </p>
        <QueryResult what="your preferences" query={preferences}>
          {(now) => <Form now={now} />}
        </QueryResult>
      </Panel>
      <Panel title="This browser">
        <CheckField
          label="Single keys act on the page"
          hint="Switch this off if you use speech input or press keys by accident."
          checked={isOn}
          onChange={({ target }) => {
            setShortcuts(target.checked)
            setOn(target.checked)
          }}
        />
      </Panel>
    </div>
  )
}
