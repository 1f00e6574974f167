/** Shows the deprecated operations, and which of the person's keys called these operations recently. */
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { procedureQuery } from "../../api/procedures.ts"
import { Inline } from "../../ui/Inline.tsx"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { useReference } from "../api/useReference.ts"
import type { Entry } from "../../api/reference.ts"
import { allKeysQuery } from "../keys/allKeys.ts"

// The calls of this many keys are read. The keys that were used last come first.
const keysMax = 20

interface Caller {
  readonly id: string
  readonly name: string
  readonly at: string
}

/**
 * The latest call of each key to each operation, by the name of the operation. The keys that were used last come first.
 */
const useCallers = (): ReadonlyMap<string, ReadonlyArray<Caller>> => {
  const keys = (useQuery(allKeysQuery).data ?? [])
    .filter(({ lastUsedAt }) => lastUsedAt !== null)
    .toSorted((left, right) => String(right.lastUsedAt).localeCompare(String(left.lastUsedAt)))
    .slice(0, keysMax)
  const usages = useQueries({ queries: keys.map(({ id }) => procedureQuery("apiKeys.usage", { keyId: id })) })
  const callers = new Map<string, ReadonlyArray<Caller>>()
  for (const [place, { id, keyName }] of keys.entries()) {
    const isKnown = new Set<string>()
    for (const { at, operation } of usages[place]?.data?.calls ?? []) {
      if (operation === null || isKnown.has(operation)) continue
      isKnown.add(operation)
      callers.set(operation, [...(callers.get(operation) ?? []), { id, name: keyName, at }])
    }
  }
  return callers
}

const Operations = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => {
  const callers = useCallers()
  if (entries.length === 0) {
    return (
      <Empty title="This version has no deprecated operation.">
        <Link to="/api">See every operation</Link>
      </Empty>
    )
  }
  return (
    <Table
      label="Deprecated operations"
      columns={[
        {
          name: "Operation",
          cell: ({ kind, title }: Entry) => (
            <code className="break-all">
              {kind.toUpperCase()} {title}
            </code>
          )
        },
        { name: "About", cell: ({ summary }) => <Inline text={summary} /> },
        {
          name: "Keys that called it lately",
          cell: ({ kind, name, title }) => {
            // The pod records a REST call by its route, and any other call by the name of its operation.
            const found = callers.get(`${kind.toUpperCase()} ${title}`) ?? callers.get(name) ?? []
            return found.length === 0 ? (
              <span className="text-muted">none</span>
            ) : (
              <ul>
                {found.map((caller) => (
                  <li key={caller.id}>
                    <Link to="/connections" search={{ key: caller.id }}>
                      {caller.name}
                    </Link>{" "}
                    <Time at={caller.at} />
                  </li>
                ))}
              </ul>
            )
          }
        }
      ]}
      rows={entries}
      keyOf={({ id }) => id}
    />
  )
}

export const DeprecatedPanel = () => (
  <Panel title="Deprecated operations">
    <QueryResult what="the operations" query={useReference()}>
      {({ entries }) => <Operations entries={entries.filter(({ isDeprecated }) => isDeprecated)} />}
    </QueryResult>
  </Panel>
)
