/**
 * Shows the entries of the vault. The console reads a value only when the person asks for it, and does not keep it on
 * the page.
 */
import { useState } from "react"
import { ask, change, type ProcedureOutput } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { VaultEdit } from "./VaultEdit.tsx"
import { VaultShares } from "./VaultShares.tsx"

type Entry = ProcedureOutput<"secretsVault.getVaultMetadata">["entries"][number]
type OpenedEntry = ProcedureOutput<"secretsVault.get">

const ShowValue = ({ entry }: { readonly entry: Pick<Entry, "id" | "name"> }) => {
  const [opened, setOpened] = useState<OpenedEntry | undefined>()
  const read = useWrite({
    run: () => ask("secretsVault.get", { id: entry.id }),
    stale: [],
    onDone: setOpened
  })
  return (
    <>
      <Button aria-label={`Show ${entry.name}`} isBusy={read.isPending} onClick={() => read.mutate()}>
        Show
      </Button>
      {read.error !== null && <ErrorBox error={read.error} />}
      <Dialog title={entry.name} isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened !== undefined && (
          <>
            <Copyable text={opened.value} name="the value" />
            {opened.notes !== null && <p className="whitespace-pre-wrap">{opened.notes}</p>}
            <p className="text-muted">
              {opened.sharedWith.length === 0
                ? "Shared with nobody."
                : `Shared with ${opened.sharedWith.length} ${opened.sharedWith.length === 1 ? "person" : "people"}.`}
            </p>
          </>
        )}
      </Dialog>
    </>
  )
}

const Deletion = ({ entry }: { readonly entry: Entry }) => {
  const write = useWrite({
    run: () => change("secretsVault.delete", { id: entry.id }),
    stale: ["secretsVault"],
    successMessage: () => `${entry.name} is deleted.`
  })
  return (
    <ConfirmButton
      name="Delete"
      label={`Delete ${entry.name}`}
      question={`Delete ${entry.name} for good?`}
      confirm="Delete it"
      onConfirm={() => write.mutateAsync(undefined)}
    >
      <p>Nobody can read the value afterwards, not even from the history of the pod.</p>
    </ConfirmButton>
  )
}

const columns: ReadonlyArray<Column<Entry>> = [
  {
    name: "Name",
    sortBy: ({ name }) => name,
    cell: ({ name, url }: Entry) => (
      <>
        {name}
        {url !== null && <div className="text-muted">{url}</div>}
      </>
    )
  },
  {
    name: "Category",
    sortBy: ({ category }) => category,
    cell: ({ category }: Entry) => category ?? <span className="text-muted">none</span>
  },
  {
    name: "Value replaced",
    sortBy: ({ rotatedAt }) => rotatedAt,
    cell: ({ rotatedAt }: Entry) => <Time at={rotatedAt} />
  },
  { name: "Expires", sortBy: ({ expiresAt }) => expiresAt, cell: ({ expiresAt }: Entry) => <Time at={expiresAt} /> },
  {
    name: "Actions",
    cell: (entry: Entry) => (
      <div className="flex flex-wrap gap-2">
        <ShowValue entry={entry} />
        <VaultEdit id={entry.id} name={entry.name} />
        <VaultShares id={entry.id} name={entry.name} />
        <Deletion entry={entry} />
      </div>
    )
  }
]

export const VaultEntries = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => (
  <Table label="Entries of your vault" columns={columns} rows={entries} keyOf={({ id }) => id} isWhole />
)

type SharedEntry = ProcedureOutput<"secretsVault.sharedWithMe">[number]

const sharedColumns: ReadonlyArray<Column<SharedEntry>> = [
  { name: "Name", sortBy: ({ name }) => name, cell: ({ name }: SharedEntry) => name },
  { name: "Owner", sortBy: ({ ownerName }) => ownerName, cell: ({ ownerName }: SharedEntry) => ownerName },
  { name: "Shared", sortBy: ({ sharedAt }) => sharedAt, cell: ({ sharedAt }: SharedEntry) => <Time at={sharedAt} /> },
  { name: "Actions", cell: (entry: SharedEntry) => <ShowValue entry={entry} /> }
]

/** Shows the vault entries that other people share with the person. */
export const SharedEntries = ({ entries }: { readonly entries: ReadonlyArray<SharedEntry> }) => (
  <Table
    label="Entries that are shared with you"
    columns={sharedColumns}
    rows={entries}
    keyOf={({ id }) => id}
    isWhole
  />
)
