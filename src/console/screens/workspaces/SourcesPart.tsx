/**
 * Shows the data sources of a workspace, such as `gmail`: which roles each source has, and which source is the default
 * for a role.
 */
import { type FormEvent, useState } from "react"
import { hub } from "../../api/hub.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { Table } from "../../ui/Table.tsx"
import type { WorkspacePartProps } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

/** Shows a value of any type as a text, because these fields can contain any JSON. */
const valueAsText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(", ") : typeof value === "string" ? value : JSON.stringify(value)

const listOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

const columnsOf = ([name, value]: readonly [string, string]) => [
  { name, cell: ([key]: readonly [string, unknown]) => <code>{key}</code> },
  { name: value, cell: ([, edge]: readonly [string, unknown]) => valueAsText(edge) }
]

const Edges = ({
  title,
  empty,
  heads,
  edges
}: {
  readonly title: string
  readonly empty: string
  /** The titles of the two columns. */
  readonly heads: readonly [string, string]
  readonly edges: Readonly<Record<string, unknown>>
}) => (
  <Panel title={title}>
    {Object.keys(edges).length === 0 ? (
      <Empty title={empty} />
    ) : (
      <Table label={title} columns={columnsOf(heads)} rows={Object.entries(edges)} keyOf={([name]) => name} />
    )}
  </Panel>
)

export const SourcesPart = ({ workspace }: WorkspacePartProps) => {
  // The React key of the form. A new number makes a new, empty form.
  const [round, setRound] = useState(0)
  const write = useWrite({
    run: (body: { sourceRoles?: Record<string, unknown>; defaultSources?: Record<string, unknown> }) =>
      hub("PATCH /api/hub/workspaces/:workspaceId/source-edges", { params: { workspaceId: workspace.id }, body }),
    stale: ["workspaces"],
    successMessage: () => "The source is saved.",
    onDone: () => setRound(round + 1)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { source = "", roles = "", standard = "" } = textsOf(event.currentTarget)
    const defaults = listOf(standard)
    write.mutate({
      sourceRoles: { [source.trim()]: listOf(roles) },
      ...(defaults.length === 0
        ? {}
        : { defaultSources: Object.fromEntries(defaults.map((role) => [role, source.trim()])) })
    })
  }
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        A source is a program from which records come, such as gmail. A role says what the source is used for in this
        workspace, such as mail. Programs and agents read this; the pod itself fetches nothing from a source.
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Edges
          title="Roles of each source"
          empty="No source has a role yet."
          heads={["Source", "Roles"]}
          edges={workspace.sourceRoles}
        />
        <Edges
          title="Default source of each role"
          empty="No role has a default source."
          heads={["Role", "Source"]}
          edges={workspace.defaultSources}
        />
      </div>
      {isManager(workspace.role) && (
        <Panel title="Set a source">
          <form key={round} onSubmit={submit} className="grid gap-3">
            <div className="grid gap-3 sm:grid-cols-3">
              <TextField label="Source" name="source" required hint="Such as gmail. Other sources stay unchanged." />
              <TextField label="Roles of the source" name="roles" hint="Separated by commas." />
              <TextField label="Default for these roles" name="standard" hint="Separated by commas. Optional." />
            </div>
            {write.error !== null && <ErrorBox error={write.error} />}
            <div>
              <Button type="submit" kind="primary" isBusy={write.isPending}>
                Save the source
              </Button>
            </div>
          </form>
        </Panel>
      )}
    </div>
  )
}
