/**
 * Rotates a key: a new key with the same rights and the same expiry date replaces it. The person chooses whether the
 * old key stops now or later. The new key is shown once.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { change, type ProcedureOutput } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { relativeTime } from "../../ui/Time.tsx"
import { FirstCallLight } from "../connect/FirstCallLight.tsx"
import type { Key } from "../keys/keyDraft.ts"
import { Inline } from "../../ui/Inline.tsx"

const overlaps = [
  { seconds: 0, name: "now" },
  { seconds: 3_600, name: "in 1 hour" },
  { seconds: 86_400, name: "in 24 hours" },
  { seconds: 604_800, name: "in 7 days" }
] as const

interface RotateFormProps {
  readonly of: Key
  readonly onClose: () => void
}

const RotateForm = ({ of, onClose }: RotateFormProps) => {
  const queries = useQueryClient()
  const [overlapSeconds, setOverlap] = useState<number>(86_400)
  const [newKey, setNewKey] = useState<ProcedureOutput<"apiKeys.rotate">>()
  const rotate = useMutation({
    mutationFn: () => change("apiKeys.rotate", { keyId: of.id, overlapSeconds }),
    onSuccess: async (minted) => {
      setNewKey(minted)
      await Promise.all(["apiKeys", "connections"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
    }
  })
  if (newKey !== undefined) {
    return (
      <div className="grid gap-3">
        <p>
          <Inline text={newKey.message} />
        </p>
        <Copyable text={newKey.key} name="the new key" />
        <FirstCallLight keyId={newKey.id} isNew />
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={onClose}>
            I stored it
          </Button>
          <Link to="/connect" search={{ key: newKey.id }}>
            Configuration of clients
          </Link>
        </div>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>
        A new key takes the place of <strong>{of.keyName}</strong> …{of.lastFour}, with the same rights.{" "}
        {of.expiresAt === null
          ? "The new key never ends, like the old key."
          : `The new key ends when the old key would have ended: ${relativeTime(of.expiresAt)}.`}
      </p>
      <fieldset className="grid gap-1">
        <legend className="font-medium">The old key stops</legend>
        {overlaps.map(({ name, seconds }) => (
          <label key={seconds} className="flex items-center gap-2">
            <input
              type="radio"
              name="overlap"
              checked={overlapSeconds === seconds}
              onChange={() => setOverlap(seconds)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {rotate.error !== null && <ErrorBox error={rotate.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate {of.keyName}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  )
}

export const RotateDialog = ({ of, onClose }: { readonly of: Key | undefined; readonly onClose: () => void }) => (
  <Dialog title="Rotate this key" isOpen={of !== undefined} onClose={onClose}>
    {of !== undefined && <RotateForm of={of} onClose={onClose} />}
  </Dialog>
)
