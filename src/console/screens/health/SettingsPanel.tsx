/**
 * Shows the settings of the running pod, each with the source of its value. For a secret, the panel shows only that it
 * is set.
 */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { Refusal } from "../../api/refusal.ts"
import { Button } from "../../ui/Button.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { Inline } from "../../ui/Inline.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"

type Setting = ProcedureOutput<"system.getSettings">[number]

const columns: ReadonlyArray<Column<Setting>> = [
  {
    name: "Setting",
    sortBy: ({ name }) => name,
    cell: ({ doc, name }: Setting) => (
      <>
        <code>{name}</code>
        <div className="text-muted">
          <Inline text={doc} />
        </div>
      </>
    )
  },
  { name: "Value", cell: ({ value }: Setting) => value ?? <span className="text-muted">none</span> },
  { name: "From", sortBy: ({ source }) => source, cell: ({ source }: Setting) => source }
]

export const SettingsPanel = () => {
  const settings = useQuery(procedureQuery("system.getSettings", {}))
  const [isChangedOnly, setChangedOnly] = useState(true)
  if (settings.error instanceof Refusal && settings.error.status === 403) {
    return (
      <Panel title="Settings of the pod">
        <Empty title="Only the owner of the pod sees its settings.">
          <p>
            Ask the owner, or run <code>pod config list</code> on the server.
          </p>
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel title="Settings of the pod">
      <CheckField
        label="Only those that differ from the default"
        checked={isChangedOnly}
        onChange={({ target }) => setChangedOnly(target.checked)}
      />
      <QueryResult what="the settings" query={settings}>
        {(all) => {
          const rows = isChangedOnly ? all.filter(({ source }) => source !== "default") : all
          return rows.length === 0 ? (
            <Empty title="Every setting has its default.">
              <Button onClick={() => setChangedOnly(false)}>Show all settings</Button>
            </Empty>
          ) : (
            <Table label="Settings of the pod" columns={columns} rows={rows} keyOf={({ name }) => name} isWhole />
          )
        }}
      </QueryResult>
    </Panel>
  )
}
