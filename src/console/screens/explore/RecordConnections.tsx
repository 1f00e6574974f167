/** Shows the connections of a record to other records, as a list and as a drawing. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type AnswerOf, hubQuery, type InputOf } from "../../api/hub.ts"
import { Empty } from "../../ui/Page.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { ConnectionGraph } from "./ConnectionGraph.tsx"
import { isOpenable } from "./recordKinds.ts"

type Neighbor = AnswerOf<"GET /api/hub/graph/:type/:id">["neighbors"][number]
type GraphType = InputOf<"GET /api/hub/graph/:type/:id">["params"]["type"]

const neighborsMax = 100

export const connectionsInput = (type: GraphType, id: string) => ({
  params: { type, id },
  query: { limit: neighborsMax }
})

const directions = { outgoing: "from here", incoming: "to here", structural: "part" } as const

const columns: ReadonlyArray<Column<Neighbor>> = [
  {
    name: "Record",
    sortBy: ({ name }) => name,
    cell: ({ id, kind, name }: Neighbor) =>
      isOpenable(kind) ? (
        <Link to="/explore/$type/$id" params={{ type: kind, id }}>
          {name ?? "without a name"}
        </Link>
      ) : (
        (name ?? "without a name")
      )
  },
  {
    name: "Kind",
    sortBy: ({ kind, subtype }) => subtype ?? kind,
    cell: ({ kind, subtype }: Neighbor) => subtype ?? kind
  },
  { name: "Connection", sortBy: ({ edgeType }) => edgeType, cell: ({ edgeType }: Neighbor) => edgeType },
  {
    name: "Direction",
    sortBy: ({ direction }) => directions[direction],
    cell: ({ direction }: Neighbor) => directions[direction]
  }
]

export const RecordConnections = ({ id, type }: { readonly id: string; readonly type: GraphType }) => {
  const graph = useQuery(hubQuery("GET /api/hub/graph/:type/:id", connectionsInput(type, id)))
  return (
    <Shown what="the connections" query={graph}>
      {({ counts, neighbors, object, truncated }) =>
        neighbors.length === 0 ? (
          <Empty title="Nothing that you may see is connected with this record." />
        ) : (
          <div className="grid min-w-0 gap-3">
            <p className="text-muted">
              {counts.total} {counts.total === 1 ? "connection" : "connections"}
              {truncated && `, of which the first ${neighbors.length} are listed`}
            </p>
            <Table
              label="Connections"
              columns={columns}
              rows={neighbors}
              isWhole={!truncated}
              keyOf={(each) => `${each.id} ${each.edgeType} ${each.direction} ${each.via}`}
            />
            <ConnectionGraph neighbors={neighbors} object={object} />
          </div>
        )
      }
    </Shown>
  )
}
