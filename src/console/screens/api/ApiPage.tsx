/**
 * The API reference page. It lists every REST operation, procedure and MCP tool. For each operation it shows which keys
 * may call it, and a form to try it.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useDeferredValue, useMemo, useState } from "react"
import { podRoot } from "../../api/root.ts"
import { buttonClass } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { CheckField, SelectField, TextField } from "../../ui/Field.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import type { ApiSearch } from "./apiRoutes.ts"
import { OperationList } from "./OperationList.tsx"
import { OperationPanel } from "./OperationPanel.tsx"
import { type Entry, rankOf, type Surface, surfaces } from "../../api/reference.ts"
import { doorName, useKeyDoors } from "./useKeyDoors.ts"
import { useReference } from "./useReference.ts"
import { allKeysQuery } from "../keys/allKeys.ts"

const route = getRouteApi("/shell/api")

const surfaceNames: Readonly<Record<Surface, string>> = { rest: "REST", procedure: "Procedures", tool: "MCP tools" }

/**
 * The entries that match the search text and the chosen surface. The best entries come first, and equally good entries
 * keep their order.
 */
const matchingEntries = (
  entries: ReadonlyArray<Entry>,
  query: string,
  surface: Surface | undefined
): ReadonlyArray<Entry> =>
  entries
    .flatMap((entry) => {
      const rank = surface === undefined || entry.surface === surface ? rankOf(entry, query) : undefined
      return rank === undefined ? [] : [{ entry, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry)

export const ApiPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const reference = useReference()
  const keys = useQuery(allKeysQuery)
  const active = keys.data?.filter(({ isActive }) => isActive) ?? []
  const chosen = active.find(({ id }) => id === search.key)
  const { doors, error, retry } = useKeyDoors(chosen)
  // The pasted key exists only in this state. It is never in the storage or the address of the browser.
  const [pasted, setPasted] = useState("")
  const query = useDeferredValue(search.q ?? "")
  const all = reference.data?.entries
  const found = useMemo(() => matchingEntries(all ?? [], query, search.surface), [all, query, search.surface])
  const shown =
    search.open === true && doors !== undefined
      ? found.filter(({ name, surface }) => doors.get(doorName(surface, name))?.isOpen === true)
      : found
  const set = (change: { readonly [K in keyof ApiSearch]?: ApiSearch[K] | undefined }) => {
    const next = Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined))
    // `next` has the fields of two values of this type. The route checks them again.
    void navigate({ search: next as ApiSearch, replace: true })
  }
  return (
    <Page
      title="API"
      about="Every REST operation, procedure and MCP tool of this pod. Agents connect to /mcp with a key."
      actions={
        <>
          <a className={buttonClass("plain")} href={`${podRoot}openapi.json`} download="openapi.json">
            openapi.json
          </a>
          <a className={buttonClass("plain")} href={`${podRoot}docs/catalog.json`} download="catalog.json">
            catalog.json
          </a>
        </>
      }
      calls={[{ procedure: "apiKeys.list", kind: "query", input: {} }]}
    >
      <div className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <TextField
          label="Search"
          type="search"
          value={search.q ?? ""}
          placeholder="Name, path or words"
          onChange={({ target }) => set({ q: target.value === "" ? undefined : target.value })}
        />
        <SelectField
          label="Surface"
          value={search.surface ?? ""}
          onChange={({ target }) => set({ surface: surfaces.find((each) => each === target.value) })}
        >
          <option value="">All</option>
          {surfaces.map((surface) => (
            <option key={surface} value={surface}>
              {surfaceNames[surface]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Mark what this key may call"
          value={chosen?.id ?? ""}
          onChange={({ target }) =>
            set({
              key: target.value === "" ? undefined : target.value,
              ...(target.value === "" ? { open: undefined } : {})
            })
          }
        >
          <option value="">No key</option>
          {active.map(({ id, keyName, lastFour }) => (
            <option key={id} value={id}>
              {keyName} …{lastFour}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Try with a key"
          type="password"
          autoComplete="off"
          value={pasted}
          placeholder="If empty, your sign-in is used"
          onChange={({ target }) => setPasted(target.value.trim())}
        />
      </div>
      {chosen !== undefined && (
        <CheckField
          label="Show only what it may call"
          checked={search.open === true}
          onChange={({ target }) => set({ open: target.checked ? true : undefined })}
        />
      )}
      {error !== null && <ErrorBox error={error} onRetry={retry} />}
      <QueryResult what="the reference" query={reference}>
        {({ entries, version }) => {
          const entry = entries.find(({ id }) => id === search.op)
          return (
            <>
              <p role="status" className="text-muted">
                {shown.length} of {entries.length} operations, version {version}
              </p>
              <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
                {shown.length === 0 ? (
                  <NoMatch
                    one="operation"
                    many="operations"
                    text={search.q}
                    isFiltered={search.surface !== undefined || search.open === true}
                    onClear={() => set({ q: undefined, surface: undefined, open: undefined })}
                  />
                ) : (
                  <OperationList entries={shown} search={search} doors={doors} />
                )}
                {entry === undefined ? (
                  <Empty title={search.op === undefined ? "Choose an operation." : "This pod has no such operation."} />
                ) : (
                  <OperationPanel key={entry.id} entry={entry} keys={active} pasted={pasted} />
                )}
              </div>
            </>
          )
        }}
      </QueryResult>
    </Page>
  )
}
