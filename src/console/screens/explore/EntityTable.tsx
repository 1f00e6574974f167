/** A table of the entities of one kind. Its columns are the properties of the kind (from its profile). */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hubPageQuery } from "../../api/hub.ts"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table, type TableSort } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useFirstPage } from "../../ui/useFirstPage.ts"
import { EmptyKind } from "./EmptyKind.tsx"
import type { FormShape } from "./formShapes.ts"
import { usePlaceColumn } from "./usePlaceColumn.ts"
import { sortValue, Value } from "./valueText.tsx"

type Entity = AnswerOf<"GET /api/hub/entities">[number]

export const pageRows = 50
// The table first shows this many properties, because there is no room for more.
const columnsFirst = 6

interface EntityTableProps {
  readonly kindName: string
  readonly query: {
    readonly profileSlug: string
    readonly workspaceId?: string | undefined
    readonly q?: string | undefined
    readonly limit: number
    readonly cursor?: string
    /** Only for a search: its results are sorted by rank, so they have no cursors. */
    readonly offset?: number
  }
  /** The place where the page begins, as the address has it. */
  readonly after: string | undefined
  readonly shapes: ReadonlyArray<FormShape>
  readonly sort: TableSort
  readonly onPage: (after: string | undefined) => void
  readonly onNew: () => void
  /** Removes the search text and the choice of a workspace. */
  readonly onClear: () => void
}

const columnsOf = (
  shapes: ReadonlyArray<FormShape>,
  place: ReadonlyArray<Column<Entity>>
): ReadonlyArray<Column<Entity>> => [
  {
    name: "Title",
    isFixed: true,
    sortBy: ({ title }) => title,
    cell: ({ id, title }) => (
      <Link to="/explore/$type/$id" params={{ type: "entity", id }}>
        {title}
      </Link>
    )
  },
  ...shapes.map(({ label, name, type }, at) => ({
    name: label,
    // The prefix `property:` is needed, because a property can have the name of another column.
    id: `property:${name}`,
    isExtra: at >= columnsFirst,
    isNumber: type === "number",
    sortBy: ({ properties }: Entity) => sortValue(properties[name]),
    cell: ({ properties }: Entity) => <Value of={properties[name]} />
  })),
  ...place,
  { name: "Changed", sortBy: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
]

/** The place of the next page: the cursor of the pod, or for a search the number of results before the page. */
const nextOf = (
  { limit, offset, q }: EntityTableProps["query"],
  rows: ReadonlyArray<Entity>,
  next: string | undefined
): string | undefined => (q === undefined ? next : rows.length < limit ? undefined : String((offset ?? 0) + limit))

export const EntityTable = ({ after, kindName, onClear, onNew, onPage, query, shapes, sort }: EntityTableProps) => {
  const entities = useQuery(hubPageQuery("GET /api/hub/entities", { query }))
  const place = usePlaceColumn(query.workspaceId)
  useFirstPage(entities.error)
  return (
    <QueryResult what={`the records of the kind ${kindName}`} query={entities}>
      {({ answer: rows, next }) => (
        <div className="grid min-w-0 gap-3">
          {rows.length === 0 && after === undefined ? (
            query.q === undefined ? (
              <EmptyKind
                name={kindName}
                isInWorkspace={query.workspaceId !== undefined}
                onNew={onNew}
                onEverywhere={onClear}
              />
            ) : (
              <NoMatch
                one={kindName}
                many="of this kind"
                text={query.q}
                isFiltered={query.workspaceId !== undefined}
                onClear={onClear}
              />
            )
          ) : (
            <Table
              key={query.profileSlug}
              label={kindName}
              columnsName={`entities:${query.profileSlug}`}
              columns={columnsOf(shapes, place)}
              rows={rows}
              isWhole={after === undefined && nextOf(query, rows, next) === undefined}
              sort={sort}
              keyOf={({ id }) => id}
            />
          )}
          <Pager label={`Pages of ${kindName}`} after={after} next={nextOf(query, rows, next)} onGo={onPage} />
        </div>
      )}
    </QueryResult>
  )
}
