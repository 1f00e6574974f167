/** The tabs of the inbox, and the control that groups its list. */
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { inputClass } from "../../ui/Field.tsx"
import { decidedStatuses, groupings, type InboxSearch, tabNames, tabs } from "./inboxSearch.ts"
import { statusNames } from "./inboxText.ts"

interface BarProps {
  readonly search: InboxSearch
  readonly onSearch: (change: Partial<InboxSearch>) => void
  readonly isLive: boolean
}

export const InboxBar = ({ search, onSearch, isLive }: BarProps) => {
  const { group, id, look, tab: shown = "waiting" } = search
  return (
    // On a narrow screen an open proposal replaces the list, so the controls of the list are hidden.
    <div className={`flex-wrap items-end justify-between gap-3 ${id === undefined ? "flex" : "hidden lg:flex"}`}>
      <nav aria-label="Lists of the inbox">
        <ul className="border-line flex flex-wrap gap-1 border-b">
          {tabs.map((tab) => (
            <li key={tab}>
              <Link
                to="/inbox"
                search={{ tab, ...(group === undefined ? {} : { group }), ...(look === undefined ? {} : { look }) }}
                aria-current={tab === shown ? "page" : undefined}
                className={`-mb-px inline-block border-b-2 px-3 py-2 font-medium no-underline ${tab === shown ? "border-accent text-text" : "text-muted border-unchosen"}`}
              >
                {tabNames[tab]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={isLive ? "good" : "warn"}>{isLive ? "live" : "updated every 10 s"}</Badge>
        {shown === "decided" && (
          <select
            aria-label="Outcome"
            className={`${inputClass} w-auto!`}
            value={search.status ?? "approved"}
            onChange={({ target }) =>
              onSearch({
                status: decidedStatuses.find((each) => each === target.value) ?? "approved",
                after: undefined
              })
            }
          >
            {decidedStatuses.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </select>
        )}
        <select
          aria-label="Group by"
          className={`${inputClass} w-auto!`}
          value={group ?? "none"}
          onChange={({ target }) => onSearch({ group: groupings.find((each) => each === target.value) ?? "none" })}
        >
          <option value="none">Not grouped</option>
          <option value="agent">By agent</option>
          <option value="session">By session</option>
        </select>
      </div>
    </div>
  )
}
