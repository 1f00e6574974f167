/**
 * Draws the nearest connections of a record. The list beside the drawing names the same connections in words. On a phone
 * the names would be too small to read, so there is only the list.
 */
import type { AnswerOf } from "../../api/hub.ts"
import { centrePlace, drawingSize, placesAround } from "./graphLayout.ts"

type Envelope = AnswerOf<"GET /api/hub/graph/:type/:id">

const drawnMax = 24
const nameLength = 18
// The record in the middle has more room than its neighbours.
const centreLength = 40

const short = (name: string | null, max = nameLength) => {
  const text = name ?? "without a name"
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

export const ConnectionGraph = ({ neighbors, object }: Pick<Envelope, "neighbors" | "object">) => {
  const drawn = neighbors.slice(0, drawnMax)
  const places = placesAround(drawn.length)
  const all = drawn.flatMap((neighbor, index) => {
    const place = places[index]
    return place === undefined ? [] : [{ neighbor, place, key: `${neighbor.id} ${neighbor.edgeType} ${index}` }]
  })
  return (
    <svg
      viewBox={`0 0 ${drawingSize.width} ${drawingSize.height}`}
      role="img"
      aria-label={`Drawing of ${drawn.length} of ${neighbors.length} connections; the list has all of them`}
      className="border-line bg-panel hidden w-full max-w-3xl rounded-lg border sm:block"
    >
      {all.map(({ key, place }) => (
        <line
          key={key}
          x1={centrePlace.x}
          y1={centrePlace.y}
          x2={place.x}
          y2={place.y}
          className="stroke-[var(--line)]"
          strokeWidth={1.5}
        />
      ))}
      {all.map(({ key, neighbor, place }) => (
        <g key={key}>
          <circle cx={place.x} cy={place.y} r={7} className="fill-[var(--accent)]" />
          <text x={place.x} y={place.y + 20} textAnchor="middle" className="fill-[var(--text)] text-xs">
            {short(neighbor.name)}
          </text>
        </g>
      ))}
      <circle cx={centrePlace.x} cy={centrePlace.y} r={11} className="fill-[var(--text)]" />
      <text
        x={centrePlace.x}
        y={centrePlace.y + 27}
        textAnchor="middle"
        className="fill-[var(--text)] text-xs font-semibold"
      >
        {short(object.name, drawn.length > 1 ? nameLength : centreLength)}
      </text>
    </svg>
  )
}
