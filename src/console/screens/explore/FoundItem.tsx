/** Shows one item that a search found: its title, a passage with marked words, and why the search found it. */
import { Link } from "@tanstack/react-router"
import type { AnswerOf } from "../../api/hub.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Time } from "../../ui/Time.tsx"
import { markedPieces } from "./markedPieces.ts"
import { foundAddress } from "./recordKinds.ts"

type Item = AnswerOf<"POST /api/hub/knowledge/search">["answers"][number]["items"][number]

/**
 * React reserves the property name `key`, but an item has a field `key`. So this component gets the whole item as one
 * property.
 */
const Title = ({ item }: { readonly item: Item }) => {
  const { title, type } = item
  const address = foundAddress(item)
  if (address !== undefined) {
    const { id, workspaceId } = address
    return (
      <Link to="/explore/$type/$id" params={{ type, id }} search={{ workspaceId }}>
        {title}
      </Link>
    )
  }
  return type === "memory" ? <Link to="/memory">{title}</Link> : <span className="font-medium">{title}</span>
}

export const FoundItem = ({ item }: { readonly item: Item }) => {
  const { marks, profileSlug, score, snippet, type, updatedAt, why } = item
  return (
    <li className="border-line grid gap-1 border-b py-2 last:border-b-0">
      <p className="flex flex-wrap items-center gap-2">
        <Title item={item} />
        <Badge>{profileSlug ?? type}</Badge>
        <span className="text-muted tabular-nums">score {score.toFixed(3)}</span>
        {updatedAt !== undefined && (
          <span className="text-muted">
            changed <Time at={updatedAt} />
          </span>
        )}
      </p>
      <p>
        {markedPieces(snippet, marks).map(({ at, isMarked, text }) =>
          isMarked ? (
            <mark key={at} className="bg-warn-soft text-text rounded-sm font-semibold underline">
              {text}
            </mark>
          ) : (
            <span key={at}>{text}</span>
          )
        )}
      </p>
      <p className="text-muted">{why}</p>
    </li>
  )
}
