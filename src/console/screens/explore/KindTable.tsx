/** A table of the documents, knowledge entries, projects, tracks or views that the person sees. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type Names, useNames } from "../../api/useNames.ts"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table, type TableSort } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { EmptyKind } from "./EmptyKind.tsx"
import { EntriesElsewhere } from "./EntriesElsewhere.tsx"
import { columnLabelOf, type ListChoice, type OtherRecord, type RecordKind } from "./recordKinds.ts"
import { usePlaceColumn } from "./usePlaceColumn.ts"
import { sortValue, Value, valueText } from "./valueText.tsx"

interface KindTableProps {
  readonly kind: RecordKind
  readonly choice: ListChoice
  readonly sort: TableSort
  readonly onPage: (after: string | undefined) => void
  readonly onNew: () => void
  /** Removes the choice of a workspace. */
  readonly onEverywhere: () => void
}

const columnsOf = (
  kind: RecordKind,
  nameOf: Names,
  place: ReadonlyArray<Column<OtherRecord>>
): ReadonlyArray<Column<OtherRecord>> => [
  {
    name: kind.nameField === "key" ? "Key" : "Name",
    sortBy: (row) => sortValue(row[kind.nameField]),
    cell: (row) => (
      <Link
        to="/explore/$type/$id"
        params={{ type: kind.type, id: kind.addressOf(row).id }}
        search={{ workspaceId: kind.addressOf(row).workspaceId }}
      >
        {valueText(row[kind.nameField])}
      </Link>
    )
  },
  ...kind.columns.map((name) => {
    const shownOf = (row: OtherRecord) => (name === "author" ? nameOf(String(row[name])) : row[name])
    return {
      name: columnLabelOf(kind, name),
      sortBy: (row: OtherRecord) => sortValue(shownOf(row)),
      cell: (row: OtherRecord) => <Value of={shownOf(row)} />
    }
  }),
  // A list of one space needs no column for the space.
  ...(kind.isListedBySpace === true ? [] : place),
  { name: "Changed", sortBy: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
]

export const KindTable = ({ choice, kind, onEverywhere, onNew, onPage, sort }: KindTableProps) => {
  const names = useNames()
  const place = usePlaceColumn(choice.workspaceId)
  const rows = useQuery({
    queryKey: [kind.group, "list", choice],
    queryFn: ({ signal }) => kind.list(choice, signal)
  })
  useFirstPage(rows.error)
  return (
    <QueryResult what={kind.many.toLowerCase()} query={rows}>
      {({ answer: listed, next }) => (
        <div className="grid min-w-0 gap-3">
          {kind.isListedBySpace === true && choice.workspaceId === undefined && (
            <EntriesElsewhere
              linkTo={({ name, workspaceId }) => (
                <Link to="/explore" search={{ kind: `:${kind.type}`, workspaceId }}>
                  {name}
                </Link>
              )}
            />
          )}
          {listed.length === 0 && choice.cursor === undefined ? (
            <EmptyKind
              name={kind.one}
              isInWorkspace={choice.workspaceId !== undefined}
              onNew={onNew}
              onEverywhere={kind.isListedBySpace === true ? undefined : onEverywhere}
            />
          ) : (
            <Table
              key={kind.type}
              label={kind.many}
              columns={columnsOf(kind, names.name, place)}
              rows={listed}
              keyOf={({ id }) => id}
              isWhole={choice.cursor === undefined && next === undefined}
              sort={sort}
            />
          )}
          <Pager label={`Pages of ${kind.many}`} after={choice.cursor} next={next} onGo={onPage} />
        </div>
      )}
    </QueryResult>
  )
}
