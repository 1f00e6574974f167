/** Shows the engine and the size of the database, and the migrations that have run on it. */
import type { UseQueryResult } from "@tanstack/react-query"
import { sizeText } from "../../../shared/sizeText.ts"
import type { ProcedureOutput } from "../../api/procedures.ts"
import { Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Time } from "../../ui/Time.tsx"

type Migrations = ProcedureOutput<"health.migrations">

const engines = { embedded: "Embedded (PGlite)", postgres: "PostgreSQL", memory: "In memory only" } as const

const durabilities = {
  process: "Durability “process”: confirmed writes survive a killed process, but not a power loss.",
  "wal-sync": "Durability “wal-sync”: confirmed writes survive a killed process and a power loss."
} as const

export const DatabasePanel = ({ migrations }: { readonly migrations: UseQueryResult<Migrations> }) => (
  <Panel title="Database">
    <QueryResult what="the migrations" query={migrations}>
      {({ durability, engine, migrations: all, note, sizeBytes, total }) => (
        <>
          <p>
            {engines[engine]}
            {sizeBytes === null ? "" : `, ${sizeText(sizeBytes)}`}
          </p>
          {durability !== null && <p>{durabilities[durability]}</p>}
          <p>
            {total} migrations applied. {note}
          </p>
          <details>
            <summary>Show them, the latest first</summary>
            <ol className="grid gap-1 pt-2">
              {all.toReversed().map(({ appliedAt, description, version }) => (
                <li key={version} className="flex flex-wrap justify-between gap-2">
                  <span>
                    <code>{version}</code> {description}
                  </span>
                  <Time at={appliedAt} />
                </li>
              ))}
            </ol>
          </details>
        </>
      )}
    </QueryResult>
  </Panel>
)
