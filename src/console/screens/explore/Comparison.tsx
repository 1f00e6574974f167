/** Shows the search results in two orders: by the full ranking, and by words alone. */
import type { AnswerOf } from "../../api/hub.ts"
import { Panel } from "../../ui/Page.tsx"
import { Table } from "../../ui/Table.tsx"

type RankingComparison = NonNullable<AnswerOf<"POST /api/hub/knowledge/search">["comparison"]>
type RankedItem = RankingComparison["baseline"][number]
type MovedItem = RankingComparison["diff"]["moved"][number]

const rankColumns = [
  { name: "Rank", isNumber: true, cell: ({ rank }: RankedItem) => rank },
  { name: "Title", cell: ({ title }: RankedItem) => title },
  { name: "Score", isNumber: true, cell: ({ score }: RankedItem) => score.toFixed(3) }
]

const movement = ({ baselineRank, horizonRank }: MovedItem): string => {
  if (baselineRank === null) return "new"
  if (horizonRank === null) return "gone"
  const places = baselineRank - horizonRank
  return places === 0 ? "same place" : `${Math.abs(places)} ${places > 0 ? "up" : "down"}`
}

const movedColumns = [
  { name: "Title", cell: ({ title }: MovedItem) => title },
  { name: "By words alone", isNumber: true, cell: ({ baselineRank }: MovedItem) => baselineRank ?? "–" },
  { name: "Full ranking", isNumber: true, cell: ({ horizonRank }: MovedItem) => horizonRank ?? "–" },
  { name: "Moved", cell: movement }
]

const keyOf = ({ id }: { readonly id: string }) => id

export const Comparison = ({ baseline, diff, horizon }: RankingComparison) => (
  <Panel title="Comparison">
    <p className="text-muted">{Math.round(diff.overlapAtN * 100)} % of the items are in both rankings.</p>
    {diff.moved.length === 0 ? (
      <p>No item moved.</p>
    ) : (
      <Table label="Moved items" columns={movedColumns} rows={diff.moved} keyOf={keyOf} />
    )}
    <div className="grid min-w-0 gap-3 lg:grid-cols-2">
      <div className="grid min-w-0 content-start gap-2">
        <h3 className="font-semibold">By words alone</h3>
        <Table label="By words alone" columns={rankColumns} rows={baseline} keyOf={keyOf} />
      </div>
      <div className="grid min-w-0 content-start gap-2">
        <h3 className="font-semibold">Full ranking</h3>
        <Table label="Full ranking" columns={rankColumns} rows={horizon} keyOf={keyOf} />
      </div>
    </div>
  </Panel>
)
