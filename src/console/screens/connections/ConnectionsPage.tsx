/**
 * The page of connections. It lists every key of the person, of their agents and of their apps, with what the key may
 * do and how it is used.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { procedureQuery } from "../../api/procedures.ts"
import { Button, buttonClass } from "../../ui/Button.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { Table } from "../../ui/Table.tsx"
import { useDrawer } from "../../ui/useDrawer.ts"
import { allConnectionsQuery, allKeysQuery, keysCall } from "../keys/allKeys.ts"
import type { Key } from "../keys/keyDraft.ts"
import { connectionColumns } from "./connectionColumns.tsx"
import { ConnectionDrawer } from "./ConnectionDrawer.tsx"
import { ConnectionFilters } from "./ConnectionFilters.tsx"
import { connectionRows, filterRows } from "./connectionRows.ts"
import { RenameDialog } from "./RenameDialog.tsx"
import { RevokeDialog } from "./RevokeDialog.tsx"
import { RotateDialog } from "./RotateDialog.tsx"

const route = getRouteApi("/shell/connections")
// A page shows this many keys.
const pageSize = 50

export const ConnectionsPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(allKeysQuery)
  const connections = useQuery(allConnectionsQuery)
  const days = useQuery(procedureQuery("apiKeys.usageByDay", { days: 7 }))
  const lastCalls = useQuery(procedureQuery("apiKeys.lastCalls", {}))
  const [chosen, setChosen] = useState<ReadonlyArray<string>>([])
  const [revoking, setRevoking] = useState<ReadonlyArray<Key>>([])
  const [rotating, setRotating] = useState<Key>()
  const [renaming, setRenaming] = useState<Key>()
  const drawer = useDrawer()
  const set = (next: Partial<Record<keyof typeof search, string | number | undefined>>) =>
    // The callers set fields to values of their types. The route checks the whole search again.
    void navigate({ search: (before) => ({ ...before, ...next }) as typeof search, replace: true })
  const clone = ({ id }: Key) => void navigate({ to: "/keys/new", search: { from: id } })
  return (
    <Page
      title="Connections"
      about="Every key to your pod: your own, and those of your agents and apps."
      actions={
        <Link to="/keys/new" className={buttonClass("primary")}>
          New key
        </Link>
      }
      calls={[
        keysCall,
        { ...keysCall, procedure: "connections.list" },
        { procedure: "apiKeys.usageByDay", kind: "query", input: { days: 7 } },
        { procedure: "apiKeys.lastCalls", kind: "query", input: {} }
      ]}
    >
      <QueryResult what="your connections" query={keys}>
        {(all) => {
          const rows = connectionRows(all, connections.data ?? [], days.data ?? [], lastCalls.data ?? [])
          if (rows.length === 0) {
            return (
              <Empty title="You have no key yet.">
                <Link to="/keys/new">Create the first key</Link>
              </Empty>
            )
          }
          const found = filterRows(rows, search, Date.now())
          const chosenKeys = all.filter(({ id, isActive }) => isActive && chosen.includes(id))
          return (
            <div className="grid min-w-0 gap-3">
              <ConnectionFilters search={search} onChange={(next) => set({ ...next, page: undefined })} />
              <Table
                label="Connections"
                columnsName="connections"
                above={
                  <>
                    <p role="status" className="text-muted">
                      {found.length} of {rows.length} {rows.length === 1 ? "key" : "keys"}
                    </p>
                    {chosenKeys.length > 0 && (
                      <>
                        <Button kind="danger" onClick={() => setRevoking(chosenKeys)}>
                          Revoke {chosenKeys.length} selected
                        </Button>
                        <Button onClick={() => setChosen([])}>Clear the selection</Button>
                      </>
                    )}
                  </>
                }
                columns={connectionColumns({
                  onOpen: (id) => drawer.open({ key: id }),
                  onRevoke: (key) => setRevoking([key]),
                  onRotate: setRotating,
                  onClone: clone,
                  onRename: setRenaming,
                  onRefusals: (id) => drawer.open({ key: id, tab: undefined, refused: true })
                })}
                rows={found}
                empty={
                  <NoMatch
                    one="key"
                    many="keys"
                    text={search.q}
                    isFiltered={[search.holder, search.status, search.only].some((filter) => filter !== undefined)}
                    onClear={() =>
                      void navigate({ search: ({ sort }) => (sort === undefined ? {} : { sort }), replace: true })
                    }
                  />
                }
                keyOf={({ key }) => key.id}
                isChosen={({ key }) => key.id === search.key}
                isWhole
                sort={{ by: search.sort, onSort: (sort) => set({ sort, page: undefined }) }}
                selection={{
                  selected: chosen,
                  onSelect: setChosen,
                  nameOf: ({ key }) => `${key.keyName} …${key.lastFour}`,
                  canSelect: ({ key }) => key.isActive
                }}
                paging={{
                  page: search.page ?? 1,
                  size: pageSize,
                  onPage: (next) => set({ page: next === 1 ? undefined : next })
                }}
              />
              <ConnectionDrawer
                row={rows.find(({ key }) => key.id === search.key)}
                keys={all}
                tab={search.tab}
                onTab={(tab) => drawer.show({ tab })}
                isOnlyRefused={search.refused === true}
                onOnlyRefused={(refused) => drawer.show({ refused: refused || undefined })}
                onClose={() => drawer.close({ key: undefined, tab: undefined, refused: undefined })}
                onRevoke={(key) => setRevoking([key])}
                onRotate={setRotating}
                onClone={clone}
                onRename={setRenaming}
              />
            </div>
          )
        }}
      </QueryResult>
      <RevokeDialog
        keys={revoking}
        onClose={() => {
          setRevoking([])
          setChosen([])
        }}
      />
      <RotateDialog of={rotating} onClose={() => setRotating(undefined)} />
      <RenameDialog of={renaming} onClose={() => setRenaming(undefined)} />
    </Page>
  )
}
