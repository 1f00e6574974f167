/** The rows of the inbox in their groups. With the checkboxes, a person selects several rows. */
import { Link } from "@tanstack/react-router"
import { visibleText } from "../../../shared/visibleText.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Time } from "../../ui/Time.tsx"
import type { Selection } from "../../ui/useSelection.ts"
import type { InboxSearch } from "./inboxSearch.ts"
import { confidenceOf, type ProposalRow, riskOf, type RowGroup, rowId, selectionOf, statusNames } from "./inboxText.ts"
import { seenIds } from "./seen.ts"
import type { useNames } from "../../api/useNames.ts"

interface ListProps {
  readonly groups: ReadonlyArray<RowGroup>
  readonly chosen: string | undefined
  readonly selection: Selection<ProposalRow>
  readonly names: ReturnType<typeof useNames>
  readonly search: InboxSearch
  /** True if the rows have checkboxes. False for decided proposals, because nobody can decide about them again. */
  readonly isSelectable: boolean
}

const Row = ({
  row,
  isUnread,
  ...props
}: Omit<ListProps, "groups"> & { readonly row: ProposalRow; readonly isUnread: boolean }) => {
  const { chosen, isSelectable, names, search, selection } = props
  const { agentUserId, createdAt, id, status, summary, workspaceId } = row
  const risk = riskOf(row)
  const confidence = confidenceOf(row)
  const isChosen = id === chosen
  return (
    <li
      id={`row-${id}`}
      className={`border-line flex gap-2 border-b px-2 py-2 last:border-b-0 ${isChosen ? "bg-chosen" : ""}`}
    >
      {isSelectable && (
        <input
          type="checkbox"
          aria-label={`Select ${summary}`}
          className="mt-1 size-4 shrink-0 accent-[var(--accent)]"
          checked={selection.getRow(id).getIsSelected()}
          onChange={selection.getRow(id).getToggleSelectedHandler()}
        />
      )}
      <Link
        to="/inbox"
        search={{ ...search, id }}
        resetScroll={false}
        preload={false}
        aria-current={isChosen ? "true" : undefined}
        className="text-text grid min-w-0 grow gap-0.5 no-underline"
      >
        <span className={isUnread ? "font-semibold" : ""}>
          {isUnread && (
            <>
              {/* The dot is a border, because forced colours remove a background. */}
              <span aria-hidden className="border-accent mr-1.5 inline-block size-2 rounded-full border-4" />
              <span className="sr-only">Not read yet: </span>
            </>
          )}
          {visibleText(summary)}
        </span>
        <span className="text-muted flex flex-wrap items-center gap-x-2 text-xs">
          <span>{agentUserId === null ? "A person" : names.name(agentUserId)}</span>
          <span>{names.workspace(workspaceId)}</span>
          <Time at={createdAt} />
          {risk !== undefined && <Badge tone={risk.tone}>{risk.text}</Badge>}
          {confidence !== undefined && <Badge tone={confidence.tone}>{confidence.text}</Badge>}
          {status !== "pending" && <Badge>{statusNames[status]}</Badge>}
        </span>
      </Link>
    </li>
  )
}

const GroupHead = ({ group, selection, isSelectable }: Omit<ListProps, "groups"> & { readonly group: RowGroup }) => {
  const ids = group.rows.map(rowId)
  const isAll = ids.every((id) => selection.getRow(id).getIsSelected())
  const toggle = () =>
    selection.setRowSelection((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))),
      ...selectionOf(isAll ? [] : ids)
    }))
  return (
    <h2 className="bg-page border-line flex items-center gap-2 border-b px-2 py-1.5 text-sm">
      {isSelectable && (
        <input
          type="checkbox"
          aria-label={`Select all of ${group.name ?? "the list"}`}
          className="size-4 accent-[var(--accent)]"
          checked={isAll}
          onChange={toggle}
        />
      )}
      {group.name} <span className="text-muted font-normal">{ids.length}</span>
    </h2>
  )
}

export const ProposalList = ({ groups, ...props }: ListProps) => {
  const seen = seenIds()
  return (
    <div className="border-line bg-panel min-w-0 rounded-lg border">
      {groups.map((group) => (
        <section key={group.key} aria-label={group.name ?? "Proposals"}>
          {group.name !== undefined && <GroupHead group={group} {...props} />}
          <ul>
            {group.rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                isUnread={row.status === "pending" && row.id !== props.chosen && !seen.has(row.id)}
                {...props}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
