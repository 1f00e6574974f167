/**
 * Changes the role of a member of a workspace, or removes the member. Every member can also leave. The pod refuses a
 * change that would leave the workspace without an owner.
 */
import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { hub } from "../../api/hub.ts"
import { useSession } from "../../api/session.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { ConfirmButton } from "../../ui/ConfirmButton.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { textsOf } from "../../ui/Field.tsx"
import type { Workspace } from "./workspaceOf.ts"
import { isManager } from "./workspaceParts.ts"

type Member = Workspace["members"][number]

const roles = {
  owner: "Does everything, and decides who else owns the workspace.",
  admin: "Also deletes, lets members in, and sets the policy for agents.",
  editor: "Reads and writes.",
  viewer: "Only reads."
} as const
type Role = keyof typeof roles

// `roles` is written out in the code, so its keys are exactly the roles.
const names = Object.keys(roles) as ReadonlyArray<Role>

/**
 * The roles that the person may give to this member. Only an owner may make somebody an owner, and an agent can never
 * be an owner.
 */
const rolesFor = (member: Member, own: string): ReadonlyArray<Role> =>
  names.filter((role) => role !== "owner" || (own === "owner" && member.kind === "person"))

interface MemberProps {
  readonly workspace: Workspace
  readonly member: Member
}

const RoleForm = ({ member, onClose, workspace }: MemberProps & { readonly onClose: () => void }) => {
  const write = useWrite({
    run: (role: Role) =>
      hub("PATCH /api/hub/workspaces/:workspaceId/members/:userId", {
        params: { workspaceId: workspace.id, userId: member.userId },
        body: { role }
      }),
    stale: ["workspaces"],
    successMessage: (_, role) => `${member.name} is ${role} now.`,
    onDone: onClose
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = textsOf(event.currentTarget)["role"]
    write.mutate(names.find((role) => role === chosen) ?? "viewer")
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">Role in {workspace.name}</legend>
        {rolesFor(member, workspace.role).map((role) => (
          <label key={role} className="flex items-start gap-2">
            <input
              type="radio"
              name="role"
              value={role}
              defaultChecked={role === member.role}
              className="mt-1 accent-[var(--accent)]"
            />
            <span>
              <strong className="font-medium">{role}</strong> <span className="text-muted">{roles[role]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {write.error !== null && <ErrorBox error={write.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Change the role
        </Button>
      </div>
    </form>
  )
}

export const MemberActions = ({ member, workspace }: MemberProps) => {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const isSelf = useSession()?.user.id === member.userId
  const remove = useWrite({
    run: () =>
      hub("DELETE /api/hub/workspaces/:workspaceId/members/:userId", {
        params: { workspaceId: workspace.id, userId: member.userId }
      }),
    stale: ["workspaces"],
    successMessage: () =>
      isSelf ? `You left ${workspace.name}.` : `${member.name} is no longer a member of ${workspace.name}.`,
    onDone: () => {
      if (isSelf) void navigate({ to: "/workspaces" })
    }
  })
  const mayManage = isManager(workspace.role)
  if (!mayManage && !isSelf) return null
  if (member.role === "owner" && workspace.role !== "owner") return null
  return (
    <div className="flex flex-wrap gap-2">
      {mayManage && (
        <Button aria-label={`Change the role of ${member.name}`} onClick={() => setOpen(true)}>
          Change the role
        </Button>
      )}
      <ConfirmButton
        name={isSelf ? "Leave" : "Remove"}
        label={isSelf ? "Leave the workspace" : `Remove ${member.name}`}
        question={isSelf ? `Leave ${workspace.name}?` : `Remove ${member.name} from ${workspace.name}?`}
        onConfirm={() => remove.mutateAsync()}
      >
        <p>
          {member.kind !== "person"
            ? "The agent writes nothing here until it is let in again. It still reads what its person reads."
            : isSelf
              ? "You, your keys and your agents read and write nothing here any more. What you wrote stays."
              : "This person reads and writes nothing here any more, nor do the person's keys and agents. What they wrote stays."}
        </p>
      </ConfirmButton>
      <Dialog title={`Role of ${member.name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <RoleForm member={member} workspace={workspace} onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}
