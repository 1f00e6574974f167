/**
 * The table of permissions. Each row is a subject (such as `document`) or a kind of entity. The columns are read,
 * create, update and delete. A wide permission also marks the cells that it includes.
 */
import { useState } from "react"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { subjects } from "../../../doors/Door.ts"
import { ignoreEnter, inputClass } from "../../ui/Field.tsx"
import {
  actions,
  type Cell,
  cellOf,
  type MatrixAction,
  type MatrixRow,
  permissionOf,
  togglePermission
} from "./permissionMatrix.ts"

interface GrantMatrixProps {
  readonly permissions: ReadonlyArray<string>
  /** The kinds of entity with their names, from the discovery endpoint. */
  readonly kinds: ReadonlyArray<{ readonly slug: string; readonly displayName: string }>
  /** True if the table shows only permissions to write, as the table of an agent's capabilities does. */
  readonly isForWriting?: boolean
  /** Called with the new permissions after an edit. If absent, the person cannot edit the table. */
  readonly onChange?: ((permissions: ReadonlyArray<string>) => void) | undefined
}

/** The subjects that people choose most often. They are the first rows. */
const first = ["entity", "document", "project", "memory", "view", "track", "channel", "messaging", "event", "proposal"]
const otherSubjects = subjects.filter((subject) => !first.includes(subject))

const stateWords: Readonly<Record<Cell["state"], string>> = {
  off: "not allowed",
  chosen: "allowed",
  inherited: "allowed by a wider permission",
  some: "allowed for some kinds"
}

const CellBox = ({
  action,
  onToggle,
  permissions,
  row
}: {
  readonly permissions: ReadonlyArray<string>
  readonly row: MatrixRow
  readonly action: MatrixAction | null
  readonly onToggle: (() => void) | undefined
}) => {
  const cell = cellOf(permissions, row, action)
  const name = permissionOf(row, action)
  const isInherited = cell.state === "inherited"
  return (
    <td className={`px-1 py-1 text-center sm:px-2 ${isInherited ? "bg-inherited" : ""}`}>
      <input
        type="checkbox"
        // When the page scrolls to this cell, the cell stays below the sticky heading.
        className="size-4 scroll-mt-12 accent-[var(--accent)]"
        aria-label={`${name}${isInherited ? `, allowed by ${cell.by ?? ""}` : ""}`}
        title={isInherited ? `Allowed by ${cell.by ?? ""}` : `${name}: ${stateWords[cell.state]}`}
        checked={cell.state === "chosen" || isInherited}
        disabled={isInherited || onToggle === undefined}
        ref={(box) => {
          if (box !== null) box.indeterminate = cell.state === "some"
        }}
        onChange={() => onToggle?.()}
      />
    </td>
  )
}

type Columns = ReadonlyArray<MatrixAction | null>
const everyColumn: Columns = [...actions, null]
const writingColumns: Columns = everyColumn.filter((action) => action !== "read")

const Row = ({
  columns,
  label,
  onChange,
  permissions,
  row
}: {
  readonly columns: Columns
  readonly label: string
  readonly row: MatrixRow
} & Pick<GrantMatrixProps, "permissions" | "onChange">) => (
  <tr className="border-line border-t">
    <th scope="row" className={`px-1 py-1 text-left font-normal sm:px-2 ${row.kind === null ? "" : "pl-3! sm:pl-6!"}`}>
      {label}
    </th>
    {columns.map((action) => (
      <CellBox
        key={action ?? "all"}
        permissions={permissions}
        row={row}
        action={action}
        onToggle={onChange === undefined ? undefined : () => onChange(togglePermission(permissions, row, action))}
      />
    ))}
  </tr>
)

export const GrantMatrix = ({ isForWriting = false, kinds, onChange, permissions }: GrantMatrixProps) => {
  const [text, setText] = useState("")
  const [isWhole, setWhole] = useState(false)
  const columns = isForWriting ? writingColumns : everyColumn
  const query = text.trim().toLowerCase()
  const isWanted = (name: string) => name.toLowerCase().replaceAll("_", " ").includes(query.replaceAll("_", " "))
  const hasUnusual = permissions.some((each) => otherSubjects.some((subject) => subject === each.split(".")[0]))
  const wantedKinds = kinds.filter(
    ({ displayName, slug }) => isWanted(slug) || isWanted(displayName) || isWanted("entity")
  )
  const shown = isWhole || query !== "" || hasUnusual ? [...first, ...otherSubjects] : first
  const isEmpty =
    wantedKinds.length === 0 &&
    !isWanted("entity every kind") &&
    !shown.some((subject) => subject !== "entity" && isWanted(subject))
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="search"
          aria-label="Find a row of the table"
          placeholder="Find a row"
          className={`${inputClass} max-w-56`}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={ignoreEnter}
        />
        {!hasUnusual && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={isWhole}
              onChange={({ target }) => setWhole(target.checked)}
            />
            Show all {subjects.length} subjects
          </label>
        )}
      </div>
      {isEmpty && <NoMatch one="row" many="rows" text={text} onClear={() => setText("")} />}
      <div
        hidden={isEmpty}
        tabIndex={0}
        role="region"
        aria-label="Permissions"
        className="border-line max-h-[28rem] min-w-0 overflow-auto rounded-md border"
      >
        <table className="w-full border-collapse wrap-break-word">
          <thead>
            <tr className="bg-panel text-muted sticky top-0 text-xs sm:text-sm">
              <th scope="col" className="px-1 py-1 text-left font-medium sm:px-2">
                Subject
              </th>
              {columns.map((action) => (
                <th key={action ?? "all"} scope="col" className="px-1 py-1 font-medium sm:px-2">
                  {action ?? "all"}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((subject) =>
              subject === "entity"
                ? [
                    ...(isWanted("entity every kind")
                      ? [
                          <Row
                            columns={columns}
                            key="entity"
                            label="entity, every kind"
                            row={{ subject, kind: null }}
                            permissions={permissions}
                            onChange={onChange}
                          />
                        ]
                      : []),
                    ...wantedKinds.map(({ displayName, slug }) => (
                      <Row
                        columns={columns}
                        key={`entity.${slug}`}
                        label={displayName}
                        row={{ subject, kind: slug }}
                        permissions={permissions}
                        onChange={onChange}
                      />
                    ))
                  ]
                : isWanted(subject) && (
                    <Row
                      columns={columns}
                      key={subject}
                      label={subject.replaceAll("_", " ")}
                      row={{ subject, kind: null }}
                      permissions={permissions}
                      onChange={onChange}
                    />
                  )
            )}
          </tbody>
        </table>
      </div>
    </div>
  )
}
