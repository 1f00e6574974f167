/**
 * Appears if somebody else changed the record while the person edited it. Compares the current values with the typed
 * values, and asks the person which values to keep.
 */
import { useQuery } from "@tanstack/react-query"
import { Button } from "../../ui/Button.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { type FormShape, formText } from "./formShapes.ts"

type Fields = Readonly<Record<string, unknown>>

interface VersionConflictProps {
  readonly shapes: ReadonlyArray<FormShape>
  readonly texts: Readonly<Record<string, string>>
  readonly before: Fields
  readonly readAgain: () => Promise<{ readonly version: number; readonly fields: Fields }>
  /**
   * Called if the person keeps the typed values. `version` is the version that this component showed, and the typed
   * values replace it.
   */
  readonly onKeepMine: (version: number) => void
  readonly onTakeTheirs: (fields: Fields, version: number) => void
}

const columns = [
  { name: "Field", cell: ({ label }: Difference) => label },
  { name: "When you began", cell: ({ before }: Difference) => before || "–" },
  { name: "Now", cell: ({ now }: Difference) => now || "–" },
  { name: "Yours", cell: ({ mine }: Difference) => mine || "–" }
]

interface Difference {
  readonly label: string
  readonly before: string
  readonly now: string
  readonly mine: string
}

export const VersionConflict = ({
  before,
  onKeepMine,
  onTakeTheirs,
  readAgain,
  shapes,
  texts
}: VersionConflictProps) => {
  const current = useQuery({ queryKey: ["versionConflict"], queryFn: readAgain, gcTime: 0, staleTime: 0 })
  return (
    <section role="alert" className="border-warn bg-warn-soft grid min-w-0 gap-3 rounded-md border p-3">
      <p className="font-medium">Somebody changed this record while you edited it. Your changes were not saved.</p>
      <QueryResult what="the record as it is now" query={current}>
        {({ fields, version }) => {
          const rows = shapes
            .map((shape) => ({
              label: shape.label,
              before: formText(shape, before[shape.name]),
              now: formText(shape, fields[shape.name]),
              mine: texts[shape.name] ?? ""
            }))
            .filter((row) => row.before !== row.now || row.now !== row.mine)
          return (
            <>
              <Table label="What differs" columns={columns} rows={rows} keyOf={({ label }) => label} />
              <div className="flex flex-wrap gap-2">
                <Button onClick={() => onKeepMine(version)}>Write my values over version {version}</Button>
                <Button onClick={() => onTakeTheirs(fields, version)}>
                  Drop my changes and use the current record
                </Button>
              </div>
            </>
          )
        }}
      </QueryResult>
    </section>
  )
}
