/** Shows the person's keys that can read a record now. The pod decides this for each key. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { pagesQuery } from "../../api/everyPage.ts"
import { askPage, type ProcedureOutput } from "../../api/procedures.ts"
import { Panel } from "../../ui/Page.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"

type KeyReader = ProcedureOutput<"grants.readers">[number]

const columns: ReadonlyArray<Column<KeyReader>> = [
  {
    name: "Key",
    sortBy: ({ keyName }) => keyName,
    cell: ({ keyId, keyName, lastFour }: KeyReader) => (
      <>
        <Link to="/connections" search={{ key: keyId }}>
          {keyName}
        </Link>{" "}
        <span className="text-muted whitespace-nowrap">…{lastFour}</span>
      </>
    )
  },
  {
    name: "Held by",
    sortBy: ({ agentName }) => agentName ?? "you",
    cell: ({ agentName }: KeyReader) => agentName ?? "you"
  },
  { name: "What it may access", cell: ({ summary }: KeyReader) => summary },
  {
    name: "Last use",
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }: KeyReader) => <Time at={lastUsedAt} />
  },
  { name: "Ends", sortBy: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }: KeyReader) => <Time at={expiresAt} /> }
]

// A page shows at most this many keys, because the pod checks for each key what it may read.
const readersAtOnce = 100

interface KeyReadersProps {
  readonly type: string
  readonly id: string
  /** True if the space of the record has other members. */
  readonly isShared: boolean
}

export const KeyReaders = ({ id, isShared, type }: KeyReadersProps) => {
  const readers = useInfiniteQuery(
    pagesQuery<KeyReader>(["grants", "grants.readers", type, id], {
      atOnce: readersAtOnce,
      read: (page, signal) => askPage("grants.readers", { objectType: type, objectId: id, ...page }, signal)
    })
  )
  return (
    <Panel title="Keys that can read it" actions={<Link to="/connections">All connections</Link>}>
      <QueryResult what="the keys" query={readers}>
        {(keys) =>
          keys.length === 0 ? (
            <p className="text-muted">No key of yours, or of your agents, reads this record.</p>
          ) : (
            <>
              <Table
                label="Keys that can read it"
                columns={columns}
                rows={keys}
                keyOf={({ keyId }) => keyId}
                isWhole={!readers.hasNextPage}
              />
              <ShowMore what="keys" query={readers} />
            </>
          )
        }
      </QueryResult>
      {isShared && (
        <p className="text-muted">
          These are your keys. You do not see the keys of other members. Such a key reads no more than its member.
        </p>
      )}
    </Panel>
  )
}
