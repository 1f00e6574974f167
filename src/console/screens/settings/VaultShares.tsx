/**
 * Shows the people who may read a vault entry. The person can share an entry only with another member of one of the
 * person's workspaces. The share is valid only while both people are members of this workspace.
 */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { hub } from "../../api/hub.ts"
import { ask, change, procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { useSession } from "../../api/session.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { SelectField, textsOf } from "../../ui/Field.tsx"
import { Shown } from "../../ui/Shown.tsx"
import { Time } from "../../ui/Time.tsx"

type Share = ProcedureOutput<"secretsVault.get">["sharedWith"][number]

interface Reader {
  readonly personId: string
  readonly workspaceId: string
  readonly name: string
  readonly workspace: string
}

/**
 * Reads the other people in the person's workspaces. Somebody who belongs to several of these workspaces is listed once
 * for each.
 */
const useColleagues = () => {
  const own = useSession()?.user.id
  return useQuery({
    queryKey: ["workspaces", "colleagues"],
    queryFn: async ({ signal }): Promise<ReadonlyArray<Reader>> => {
      const all = await ask("workspaces.list", {}, signal)
      const details = await Promise.all(
        all.map(({ id }) => hub("GET /api/hub/workspaces/:workspaceId", { params: { workspaceId: id } }, signal))
      )
      return details.flatMap(({ id, members, name }) =>
        members
          .filter(({ kind, userId }) => kind === "person" && userId !== own)
          .map((member) => ({ personId: member.userId, workspaceId: id, name: member.name, workspace: name }))
      )
    }
  })
}

const separator = " "
const valueOf = ({ personId, workspaceId }: Reader) => `${personId}${separator}${workspaceId}`

interface EntryProps {
  readonly id: string
  readonly name: string
}

const ShareForm = ({ colleagues, id }: { readonly id: string; readonly colleagues: ReadonlyArray<Reader> }) => {
  const share = useWrite({
    run: (chosen: string) => {
      const [personId = "", workspaceId = ""] = chosen.split(separator)
      return change("secretsVault.share", { id, personId, workspaceId })
    },
    stale: ["secretsVault"],
    successMessage: () => "The entry is shared."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    share.mutate(textsOf(event.currentTarget)["reader"] ?? "")
  }
  if (colleagues.length === 0) {
    return <p className="text-muted">Nobody else is in a workspace of yours, so there is nobody to share it with.</p>
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <SelectField
        label="Share it with"
        name="reader"
        hint="This person reads the value while both of you are members of the workspace."
      >
        {colleagues.map((each) => (
          <option key={valueOf(each)} value={valueOf(each)}>
            {each.name}, by {each.workspace}
          </option>
        ))}
      </SelectField>
      {share.error !== null && <ErrorBox error={share.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={share.isPending}>
          Share
        </Button>
      </div>
    </form>
  )
}

interface SharedWithProps {
  readonly id: string
  readonly shares: ReadonlyArray<Share>
  /** The people in the person's workspaces. The list of shares shows their names. */
  readonly colleagues: ReadonlyArray<Reader>
}

const SharedWith = ({ colleagues, id, shares }: SharedWithProps) => {
  const end = useWrite({
    run: (personId: string) => change("secretsVault.unshare", { id, personId }),
    stale: ["secretsVault"],
    successMessage: () => "It is not shared with this person any more."
  })
  const nameOf = (id: string) => colleagues.find(({ personId }) => personId === id)?.name ?? "somebody who left"
  if (shares.length === 0) return <p>Shared with nobody.</p>
  return (
    <>
      <ul className="grid gap-2" aria-label="Shared with">
        {shares.map((share) => {
          const name = nameOf(share.userId)
          return (
            <li key={share.userId} className="flex flex-wrap items-center justify-between gap-2">
              <span>
                {name}, <Time at={share.sharedAt} />
              </span>
              <Button
                aria-label={`Stop sharing with ${name}`}
                isBusy={end.isPending}
                onClick={() => end.mutate(share.userId)}
              >
                Stop sharing
              </Button>
            </li>
          )
        })}
      </ul>
      {end.error !== null && <ErrorBox error={end.error} />}
    </>
  )
}

const Shares = ({ id }: { readonly id: string }) => {
  // The cache must not keep secrets.
  const entry = useQuery({ ...procedureQuery("secretsVault.get", { id }), gcTime: 0 })
  const colleagues = useColleagues()
  return (
    <Shown what="the entry" query={entry}>
      {({ sharedWith }) => (
        <Shown what="the members of your workspaces" query={colleagues}>
          {(all) => (
            <div className="grid gap-4">
              <SharedWith id={id} shares={sharedWith} colleagues={all} />
              <ShareForm
                id={id}
                colleagues={all.filter(({ personId }) => !sharedWith.some(({ userId }) => userId === personId))}
              />
            </div>
          )}
        </Shown>
      )}
    </Shown>
  )
}

export const VaultShares = ({ id, name }: EntryProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={`Share ${name}`} onClick={() => setOpen(true)}>
        Share
      </Button>
      <Dialog title={`Who reads ${name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen && <Shares id={id} />}
      </Dialog>
    </>
  )
}
