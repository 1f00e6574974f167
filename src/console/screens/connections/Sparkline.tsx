/**
 * Shows the calls of several days as small bars. The refused calls are red, at the bottom of each bar. The sentence
 * below gives the totals.
 */
import type { ConnectionRow } from "./connectionRows.ts"
import { lastDays } from "./connectionRows.ts"

const barWidth = 8
const gap = 3
const height = 24

interface SparklineProps {
  readonly days: ReadonlyArray<Pick<ConnectionRow["days"][number], "day" | "calls" | "refusals">>
  readonly count: number
}

export const Sparkline = ({ count, days }: SparklineProps) => {
  const found = new Map(days.map((day) => [day.day, day]))
  const bars = lastDays(count, Date.now()).map((day) => found.get(day) ?? { day, calls: 0, refusals: 0 })
  const callsMax = Math.max(1, ...bars.map(({ calls }) => calls))
  const calls = bars.reduce((sum, day) => sum + day.calls, 0)
  const refusals = bars.reduce((sum, day) => sum + day.refusals, 0)
  const scaled = (value: number) => (value === 0 ? 0 : Math.max(2, (value / callsMax) * height))
  return (
    <span className="inline-grid gap-1">
      <svg
        aria-hidden
        width={bars.length * (barWidth + gap)}
        height={height}
        viewBox={`0 0 ${bars.length * (barWidth + gap)} ${height}`}
      >
        {bars.map((day, at) => (
          <g key={day.day} transform={`translate(${at * (barWidth + gap)} 0)`}>
            <title>{`${day.day}: ${day.calls} calls, ${day.refusals} refused`}</title>
            <rect className="fill-line" y={height - 1} width={barWidth} height={1} />
            <rect className="fill-accent" y={height - scaled(day.calls)} width={barWidth} height={scaled(day.calls)} />
            <rect
              className="fill-bad"
              y={height - scaled(day.refusals)}
              width={barWidth}
              height={scaled(day.refusals)}
            />
          </g>
        ))}
      </svg>
      <span className="text-muted">
        <span className="whitespace-nowrap">
          {calls} {calls === 1 ? "call" : "calls"}
        </span>
        {refusals > 0 && (
          <>
            , <span className="text-bad whitespace-nowrap">{refusals} refused</span>
          </>
        )}
      </span>
    </span>
  )
}
