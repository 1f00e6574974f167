/**
 * The form that makes or changes an access role: its name, description and grant. A preview beside the form shows what
 * a key with this grant could do.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { change } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import { UnsavedGuard } from "../../ui/UnsavedGuard.tsx"
import { WhatFields, WhereFields } from "../keys/GrantEditor.tsx"
import { GrantPreviewPanel } from "../keys/GrantPreviewPanel.tsx"
import { emptyDraft, grantDraftOf, grantRequest, missingPart, type Role } from "../keys/keyDraft.ts"
import { isSameGrant } from "./grantDifference.ts"

interface RoleFormProps {
  /** The role to change. Absent for a new role. */
  readonly role?: Role | undefined
  readonly onDone: (role: Role) => void
}

export const RoleForm = ({ onDone, role }: RoleFormProps) => {
  const queries = useQueryClient()
  const [name, setName] = useState(role?.name ?? "")
  const [description, setDescription] = useState(role?.description ?? "")
  const former = role === undefined ? emptyDraft.grant : grantDraftOf(role.grant)
  const [grant, setGrant] = useState(former)
  const isChanged =
    name !== (role?.name ?? "") || description !== (role?.description ?? "") || !isSameGrant(grant, former)
  const [isPreviewed, setPreviewed] = useState(false)
  const missing = missingPart({ ...emptyDraft, grant })
  const request = grantRequest({ grant, roleId: null })
  const save = useMutation({
    mutationFn: (): Promise<Role> => {
      const fields = {
        name: name.trim(),
        description: description.trim() === "" ? null : description.trim(),
        grant: { ...request, permissions: grant.permissions }
      }
      return role === undefined
        ? change("roles.create", fields)
        : change("roles.update", { roleId: role.id, ...fields })
    },
    onSuccess: async (savedRole) => {
      await Promise.all(["roles", "apiKeys"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
      showToast({ text: `The role ${savedRole.name} is saved.` })
      onDone(savedRole)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <div className="grid min-w-0 gap-4">
      <UnsavedGuard
        what={role === undefined ? "the new role" : `the role ${role.name}`}
        isChanged={isChanged}
        openedBy="role"
      />
      <form onSubmit={submit} className="grid min-w-0 gap-4" aria-label="Access role">
        <TextField
          label="Name"
          required
          maxLength={120}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextArea
          label="Description"
          rows={2}
          maxLength={2000}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <Tabs
          label="Grant of the role"
          tabs={[
            { name: "What", content: <WhatFields grant={grant} onChange={setGrant} /> },
            { name: "Where", content: <WhereFields grant={grant} onChange={setGrant} /> }
          ]}
        />
        {missing !== undefined && <p className="text-muted">{missing.replace("the key", "a key of this role")}</p>}
        {save.error !== null && <ErrorBox error={save.error} />}
        {role !== undefined && (
          <p className="text-muted">Keys that were made from this role keep the grant that they have.</p>
        )}
        <div>
          <Button
            type="submit"
            kind="primary"
            isBusy={save.isPending}
            disabled={missing !== undefined || name.trim() === ""}
          >
            {role === undefined ? "Create the role" : "Save the role"}
          </Button>
        </div>
      </form>
      <details onToggle={({ currentTarget }) => setPreviewed(currentTarget.open)}>
        <summary>What a key of this role may do</summary>
        <div className="pt-3">
          {isPreviewed && (
            <GrantPreviewPanel input={missing === undefined ? { grant: request } : undefined} missing={missing} />
          )}
        </div>
      </details>
    </div>
  )
}
