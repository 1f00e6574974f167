/** Lists the operations that match the search, by group. A mark says whether the chosen key may call the operation. */
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import type { ApiSearch } from "./apiRoutes.ts"
import type { Entry } from "../../api/reference.ts"
import { type Door, doorName } from "./useKeyDoors.ts"

interface OperationListProps {
  readonly entries: ReadonlyArray<Entry>
  readonly search: ApiSearch
  readonly doors: ReadonlyMap<string, Door> | undefined
}

/** Groups the entries. The group with the best entry comes first. */
const groupsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<readonly [string, ReadonlyArray<Entry>]> => {
  const groups = new Map<string, Array<Entry>>()
  for (const entry of entries) {
    const known = groups.get(entry.group)
    if (known === undefined) groups.set(entry.group, [entry])
    else known.push(entry)
  }
  return [...groups]
}

export const OperationList = ({ entries, search, doors }: OperationListProps) => (
  <nav
    aria-label="Operations"
    // On a narrow screen the operation stands below the list, so a chosen operation makes the list short.
    className={`border-line bg-panel grid content-start gap-3 overflow-y-auto rounded-lg border p-3 ${search.op === undefined ? "max-h-[70dvh]" : "max-h-[25dvh] lg:max-h-[70dvh]"}`}
  >
    {groupsOf(entries).map(([group, own]) => (
      <div key={group} className="grid gap-1">
        <h2 className="text-sm">{group}</h2>
        <ul className="grid gap-0.5">
          {own.map((entry) => {
            const door = doors?.get(doorName(entry.surface, entry.name))
            return (
              <li key={entry.id}>
                <Link
                  to="/api"
                  search={{ ...search, op: entry.id }}
                  aria-current={search.op === entry.id ? "true" : undefined}
                  className="text-text hover:bg-accent-soft aria-[current]:bg-chosen flex flex-wrap items-center gap-2 rounded px-2 py-1 no-underline"
                >
                  <span className="text-muted w-16 shrink-0 font-mono text-xs">{entry.kind.toUpperCase()}</span>
                  <span className="min-w-0 grow font-mono text-xs">{entry.title.replace(/^\/api\/hub(?=\/)/, "")}</span>
                  {door !== undefined && (
                    <Badge tone={door.isOpen ? "good" : "bad"}>{door.isOpen ? "may" : "may not"}</Badge>
                  )}
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
    ))}
  </nav>
)
