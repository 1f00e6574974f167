/** A time as people say it ("3 hours ago"), with the exact time behind it or, where it matters, beside it. */
import { relativeTime } from "./relativeTime.ts"

export { relativeTime }

interface TimeProps {
  readonly at: string | null
  readonly absent?: string
  /** Whether the exact time is written too: only a mouse reads the title. */
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
