/** Shows a time in words ("3 hours ago"). The exact time is in the tooltip or, with `isExact`, beside the words. */
import { relativeTime } from "./relativeTime.ts"

export { relativeTime }

interface TimeProps {
  readonly at: string | null
  readonly absent?: string
  /** True if the exact time is also written out. If false, only the tooltip shows it, and a tooltip needs a mouse. */
  readonly isExact?: boolean
}

export const Time = ({ at, absent = "never", isExact = false }: TimeProps) =>
  at === null ? (
    <span className="text-muted">{absent}</span>
  ) : (
    <time dateTime={at} title={new Date(at).toLocaleString()} className={isExact ? "" : "whitespace-nowrap"}>
      {isExact ? `${relativeTime(at)}, ${new Date(at).toLocaleString()}` : relativeTime(at)}
    </time>
  )
