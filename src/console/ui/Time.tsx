/** A time as people say it ("3 hours ago"), with the exact time behind it. */
import { relativeTime } from "./relativeTime.ts"

export { relativeTime }

export const Time = ({ at, absent = "never" }: { readonly at: string | null; readonly absent?: string }) =>
  at === null ? (
    <span className="text-muted">{absent}</span>
  ) : (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="whitespace-nowrap">
      {relativeTime(at)}
    </time>
  )
