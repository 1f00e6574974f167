/** The columns of the list of connections. */
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { RowMenu } from "../../ui/RowMenu.tsx"
import type { Column } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Key } from "../keys/keyDraft.ts"
import { isRetired, scopeName } from "../keys/scopeWords.ts"
import { callsIn, lastCallText, type ConnectionRow, endsSoon, statusOf } from "./connectionRows.ts"
import { Sparkline } from "./Sparkline.tsx"

interface ConnectionActions {
  readonly onOpen: (keyId: string) => void
  readonly onRevoke: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onClone: (key: Key) => void
  readonly onRename: (key: Key) => void
  /** Opens the details of a key with the calls that were refused or failed. */
  readonly onRefusals: (keyId: string) => void
}

const kinds: Readonly<Record<Key["keyType"], string>> = {
  user_pat: "personal key",
  hub_inbound: "agent key",
  service: "service key",
  system: "system key"
}

export const connectionColumns = ({
  onClone,
  onOpen,
  onRefusals,
  onRename,
  onRevoke,
  onRotate
}: ConnectionActions): ReadonlyArray<Column<ConnectionRow>> => [
  {
    name: "Name",
    isFixed: true,
    sortBy: ({ key }) => key.keyName,
    cell: ({ key }) => (
      <div className="grid min-w-36 gap-0.5">
        <button
          type="button"
          className="text-accent min-h-6 text-left font-medium underline underline-offset-2"
          onClick={() => onOpen(key.id)}
        >
          {key.keyName}
        </button>
        <span className="text-muted">
          {kinds[key.keyType]} <span className="whitespace-nowrap">…{key.lastFour}</span>
        </span>
      </div>
    )
  },
  { name: "Held by", sortBy: ({ holder }) => holder, cell: ({ holder }) => holder },
  {
    name: "What it may access",
    cell: ({ key }) => (
      <div className="grid max-w-80 min-w-44 gap-1">
        <span>{key.summary}</span>
        <span className="flex flex-wrap gap-1">
          {key.scope.map((scope) => (
            <Badge key={scope} tone={isRetired(scope) ? "warn" : "plain"}>
              {scopeName(scope)}
            </Badge>
          ))}
          {key.role !== null && (key.role.isDrifted || key.role.isDeleted) && (
            <Badge tone="warn">{key.role.isDeleted ? "role deleted" : "role has changed"}</Badge>
          )}
        </span>
      </div>
    )
  },
  {
    name: "Last use",
    sortBy: ({ key }) => key.lastUsedAt,
    cell: ({ key, last }) => (
      <div className="grid min-w-28 gap-0.5">
        <Time at={key.lastUsedAt} />
        {last !== undefined && <span className="text-muted wrap-anywhere">{lastCallText(last)}</span>}
      </div>
    )
  },
  { name: "7 days", sortBy: callsIn, cell: ({ days }) => <Sparkline days={days} count={7} /> },
  {
    name: "State and end",
    sortBy: ({ key }) => `${statusOf(key, Date.now()).word} ${key.expiresAt ?? "never"}`,
    cell: ({ key }) => {
      const { tone, word } = statusOf(key, Date.now())
      return (
        <div className="grid justify-items-start gap-1">
          <Badge tone={tone}>{word}</Badge>
          {endsSoon(key, Date.now()) ? (
            <Badge tone="warn">
              {/* The words may stand on two lines, so that the actions of the row stay inside the list. */}
              <span className="whitespace-normal">
                ends soon: <Time at={key.expiresAt} />
              </span>
            </Badge>
          ) : (
            <span>
              ends <Time at={key.expiresAt} />
            </span>
          )}
        </div>
      )
    }
  },
  {
    name: "Actions",
    isFixed: true,
    cell: ({ key }) => (
      <div className="flex items-center">
        {key.isActive && (
          <Button kind="quiet" className="-ml-3" aria-label={`Revoke ${key.keyName}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        )}
        <RowMenu
          label={`More for ${key.keyName}`}
          actions={[
            ...(key.isActive ? [{ name: "Rotate", label: `Rotate ${key.keyName}`, run: () => onRotate(key) }] : []),
            { name: "Clone", label: `Clone ${key.keyName}`, run: () => onClone(key) },
            { name: "Rename", label: `Rename ${key.keyName}`, run: () => onRename(key) },
            { name: "Refusals", label: `Refusals of ${key.keyName}`, run: () => onRefusals(key.id) }
          ]}
        />
      </div>
    )
  }
]
