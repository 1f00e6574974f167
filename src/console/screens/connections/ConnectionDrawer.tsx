/** Shows all details of one key: its grant, what it may do now, its last calls, and its rotations. */
import { useQuery } from "@tanstack/react-query"
import { hubQuery } from "../../api/hub.ts"
import { procedureQuery } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { Time } from "../../ui/Time.tsx"
import { useKinds } from "../keys/GrantEditor.tsx"
import { GrantMatrix } from "../keys/GrantMatrix.tsx"
import { GrantPreviewPanel } from "../keys/GrantPreviewPanel.tsx"
import { grantText } from "../keys/grantText.ts"
import { grantDraftOf, type Key } from "../keys/keyDraft.ts"
import { isRetired, scopeName } from "../keys/scopeWords.ts"
import { outcomeOf } from "../connect/firstCall.ts"
import { CallTable } from "./CallTable.tsx"
import { type ConnectionRow, statusOf } from "./connectionRows.ts"
import { Sparkline } from "./Sparkline.tsx"

const usageDays = 30

const Grant = ({ of }: { readonly of: Key }) => {
  const kinds = useKinds()
  const { data } = useQuery({ ...hubQuery("GET /api/hub/workspaces", {}), enabled: of.workspaceId !== null })
  const workspace = data?.workspaces.find(({ id }) => id === of.workspaceId)?.name
  const grant = grantDraftOf(of.grant)
  return (
    <div className="grid min-w-0 gap-3">
      {of.grant === null && (
        <p>This key was made before grants existed, so only its scopes and the rights of its person limit it.</p>
      )}
      {of.workspaceId !== null && <p>It works in one workspace: {workspace ?? <code>{of.workspaceId}</code>}</p>}
      <GrantMatrix permissions={grant.permissions} kinds={kinds} />
      <Copyable name="the grant as JSON" text={grantText(grant)} />
    </div>
  )
}

const Access = ({ of }: { readonly of: Key }) => (
  <div className="grid gap-3">
    <p className="text-muted">
      The grant of the key, limited to what {of.heldByAgent ? "you and the agent" : "you"} may do at this moment.
    </p>
    <GrantPreviewPanel input={{ keyId: of.id }} keyId={of.id} />
  </div>
)

interface CallsProps {
  readonly of: Key
  /** True if the list shows only calls that were refused or failed. */
  readonly isOnlyRefused: boolean
  readonly onOnlyRefused: (isOnlyRefused: boolean) => void
}

const Calls = ({ isOnlyRefused, of, onOnlyRefused }: CallsProps) => {
  const usage = useQuery(procedureQuery("apiKeys.usage", { keyId: of.id }))
  return (
    <QueryResult what="the calls of the key" query={usage}>
      {({ calls, days }) => (
        <div className="grid min-w-0 gap-3">
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={`Calls of ${usageDays} days`}>
            <Sparkline days={days} count={usageDays} />
          </div>
          <CheckField
            label="Only refused or failed calls"
            checked={isOnlyRefused}
            onChange={({ target }) => onOnlyRefused(target.checked)}
          />
          <CallTable keyId={of.id} calls={isOnlyRefused ? calls.filter((call) => !outcomeOf(call).isGood) : calls} />
        </div>
      )}
    </QueryResult>
  )
}

/** The key, all keys that it replaced by rotation, and all keys that replaced it. The newest key comes first. */
const lineOf = (of: Key, keys: ReadonlyArray<Key>): ReadonlyArray<Key> => {
  const later: Array<Key> = []
  for (let next = keys.find((key) => key.rotatedFromId === of.id); next !== undefined && later.length < 50;) {
    const { id } = next
    later.unshift(next)
    next = keys.find((key) => key.rotatedFromId === id)
  }
  const earlier: Array<Key> = []
  for (let before = keys.find((key) => key.id === of.rotatedFromId); before !== undefined && earlier.length < 50;) {
    const { rotatedFromId } = before
    earlier.push(before)
    before = keys.find((key) => key.id === rotatedFromId)
  }
  return [...later, of, ...earlier]
}

const History = ({ keys, of }: { readonly of: Key; readonly keys: ReadonlyArray<Key> }) => (
  <ol className="grid gap-2">
    {lineOf(of, keys).map((key) => {
      const { tone, word } = statusOf(key, Date.now())
      return (
        <li key={key.id} aria-current={key.id === of.id ? "true" : undefined}>
          <Badge tone={tone}>{word}</Badge> {key.keyName} …{key.lastFour}, created <Time at={key.createdAt} />
          {key.revokedAt !== null && (
            <>
              , revoked <Time at={key.revokedAt} />
              {key.revokedReason !== null && <> ({key.revokedReason})</>}
            </>
          )}
          {key.id === of.id && " (this key)"}
        </li>
      )
    })}
  </ol>
)

interface ConnectionDrawerProps extends Omit<CallsProps, "of"> {
  readonly row: ConnectionRow | undefined
  readonly keys: ReadonlyArray<Key>
  /** The name of the shown tab. The page gets this name from its address. */
  readonly tab: string | undefined
  readonly onTab: (tab: string | undefined) => void
  readonly onClose: () => void
  readonly onRevoke: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onClone: (key: Key) => void
  readonly onRename: (key: Key) => void
}

export const ConnectionDrawer = ({
  isOnlyRefused,
  keys,
  onClone,
  onClose,
  onOnlyRefused,
  onRename,
  onRevoke,
  onRotate,
  onTab,
  row,
  tab
}: ConnectionDrawerProps) => (
  <Dialog title={row?.key.keyName ?? "Key"} isOpen={row !== undefined} onClose={onClose} shape="drawer">
    {row !== undefined && (
      <div className="grid min-w-0 gap-4">
        <p>{row.key.summary}</p>
        <p className="text-muted">
          Held by {row.holder}.{" "}
          <code>
            {row.key.keyPrefix}…{row.key.lastFour}
          </code>
          , created <Time at={row.key.createdAt} />, ends <Time at={row.key.expiresAt} />.
        </p>
        <p className="flex flex-wrap gap-1">
          {row.key.scope.map((scope) => (
            <Badge key={scope} tone={isRetired(scope) ? "warn" : "plain"}>
              {scopeName(scope)}
              {isRetired(scope) && " (retired)"}
            </Badge>
          ))}
        </p>
        {row.key.role !== null && (
          <p>
            Made from the access role <strong>{row.key.role.name}</strong>
            {row.key.role.isDeleted
              ? ", which no longer exists."
              : row.key.role.isDrifted
                ? ", which has changed since then. The key keeps its grant."
                : ", which is still the same."}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onRename(row.key)}>Rename</Button>
          <Button onClick={() => onClone(row.key)}>Clone</Button>
          {row.key.isActive && (
            <>
              <Button onClick={() => onRotate(row.key)}>Rotate</Button>
              <Button kind="danger" onClick={() => onRevoke(row.key)}>
                Revoke
              </Button>
            </>
          )}
        </div>
        <Tabs
          label="Details of the key"
          {...tabInAddress(
            [
              {
                name: "Last calls",
                content: <Calls of={row.key} isOnlyRefused={isOnlyRefused} onOnlyRefused={onOnlyRefused} />
              },
              { name: "Access now", content: <Access of={row.key} /> },
              { name: "Grant", content: <Grant of={row.key} /> },
              { name: "Rotations", content: <History of={row.key} keys={keys} /> }
            ],
            tab,
            onTab
          )}
        />
      </div>
    )}
  </Dialog>
)
