/**
 * The page of access roles, which are named grants from which people make keys. It shows each role with its keys, and
 * with the changes of the role since each key was made.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { allRolesQuery, rolesAtOnce } from "../../api/wholeLists.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button, buttonClass } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { FindField, hasText } from "../../ui/FindField.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { Time } from "../../ui/Time.tsx"
import { useDrawer } from "../../ui/useDrawer.ts"
import { useListAddress } from "../../ui/useListAddress.ts"
import { grantDraftOf, type Key, type Role } from "../keys/keyDraft.ts"
import { DeleteRole } from "./DeleteRole.tsx"
import { grantWords } from "./grantDifference.ts"
import { RoleForm } from "./RoleForm.tsx"
import { keysOfRole, RoleKeys } from "./RoleKeys.tsx"
import { allKeysQuery } from "../keys/allKeys.ts"

const route = getRouteApi("/shell/roles")

const activeKeys = (roleId: string, keys: ReadonlyArray<Key>) =>
  keysOfRole(roleId, keys).filter(({ isActive }) => isActive)

const driftedKeys = (roleId: string, keys: ReadonlyArray<Key>) =>
  activeKeys(roleId, keys).filter(({ role }) => role?.isDrifted === true)

const columnsOver = (keys: ReadonlyArray<Key>, onOpen: (id: string) => void): ReadonlyArray<Column<Role>> => [
  {
    name: "Name",
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ description, id, name }) => (
      <div className="grid min-w-40 gap-0.5">
        <button
          type="button"
          className="text-accent min-h-6 text-left font-medium underline underline-offset-2"
          onClick={() => onOpen(id)}
        >
          {name}
        </button>
        {description !== null && <span className="text-muted">{description}</span>}
      </div>
    )
  },
  { name: "Grant", cell: ({ grant }) => <span className="block max-w-96">{grantWords(grantDraftOf(grant))}</span> },
  {
    name: "Keys",
    isNumber: true,
    sortBy: ({ id }) => activeKeys(id, keys).length,
    cell: ({ id }) => activeKeys(id, keys).length
  },
  {
    name: "Older grants",
    sortBy: ({ id }) => driftedKeys(id, keys).length,
    cell: ({ id }) => {
      const drifted = driftedKeys(id, keys)
      return drifted.length === 0 ? (
        <span className="text-muted">none</span>
      ) : (
        <Badge tone="warn">
          {drifted.length} {drifted.length === 1 ? "key has" : "keys have"} an older grant
        </Badge>
      )
    }
  },
  { name: "Changed", sortBy: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    name: "Actions",
    cell: ({ id, name }) => (
      <Link to="/keys/new" search={{ role: id }} className={buttonClass("quiet")} aria-label={`New key from ${name}`}>
        New key
      </Link>
    )
  }
]

export const RolesPage = () => {
  const { q, role: open, sort, tab } = route.useSearch()
  const list = useListAddress({ q, sort })
  const roles = useQuery(allRolesQuery)
  const keys = useQuery(allKeysQuery)
  const drawer = useDrawer()
  const openRole = (role: string) => drawer.open({ role })
  const close = (options = {}) => drawer.close({ role: undefined, tab: undefined }, options)
  const allKeys = keys.data ?? []
  const chosen = roles.data?.find(({ id }) => id === open)
  return (
    <Page
      title="Access roles"
      about="A role is a named grant from which you make keys. Later edits of a role never change a key."
      actions={
        <Button kind="primary" onClick={() => openRole("new")}>
          New role
        </Button>
      }
      calls={[{ procedure: "roles.list", kind: "query", input: { limit: rolesAtOnce } }]}
    >
      <QueryResult what="your access roles" query={roles}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="You have no access role yet.">
              <p>Create one for a grant that you give often, such as “reads the notes of Acme”.</p>
              <Button onClick={() => openRole("new")}>Create the first role</Button>
            </Empty>
          ) : (
            <Table
              above={<FindField hint="Name, description or permission" {...list.find} />}
              label="Access roles"
              columnsName="roles"
              isWhole
              sort={list.sort}
              columns={columnsOver(allKeys, openRole)}
              rows={all.filter(({ description, grant, name }) => hasText(q, [name, description, ...grant.permissions]))}
              empty={<NoMatch one="role" many="roles" text={q} onClear={list.showAll} />}
              keyOf={({ id }) => id}
              isChosen={({ id }) => id === open}
            />
          )
        }
      </QueryResult>
      <Dialog title="New access role" isOpen={open === "new"} onClose={() => close()} shape="drawer">
        {open === "new" && <RoleForm onDone={({ id }) => drawer.show({ role: id }, { isSaved: true })} />}
      </Dialog>
      <Dialog title={chosen?.name ?? "Role"} isOpen={chosen !== undefined} onClose={() => close()} shape="drawer">
        {chosen !== undefined && (
          <>
            <div className="flex flex-wrap gap-2">
              <Link to="/keys/new" search={{ role: chosen.id }} className={buttonClass("plain")}>
                New key from this role
              </Link>
              <DeleteRole role={chosen} onDone={() => close({ isSaved: true })} />
            </div>
            <Tabs
              label="Parts of the role"
              {...tabInAddress(
                [
                  { name: "Keys", content: <RoleKeys role={chosen} keys={allKeys} /> },
                  {
                    name: "Grant",
                    content: <RoleForm key={`${chosen.id} ${chosen.version}`} role={chosen} onDone={() => undefined} />,
                    isKept: true
                  }
                ],
                tab,
                (next) => drawer.show({ tab: next })
              )}
            />
          </>
        )}
      </Dialog>
    </Page>
  )
}
