/**
 * The dialog that asks before it revokes keys, because a revoked key can never be used again. It shows the names of the
 * keys and their calls in the last hour.
 */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { change, procedureQuery } from "../../api/procedures.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField } from "../../ui/Field.tsx"
import { showToast } from "../../ui/Toasts.tsx"
import type { Key } from "../keys/keyDraft.ts"

interface RevokeDialogProps {
  readonly keys: ReadonlyArray<Key>
  readonly onClose: () => void
}

const hourMs = 3_600_000

const LastHour = ({ keyId }: { readonly keyId: string }) => {
  const { data } = useQuery(procedureQuery("apiKeys.usage", { keyId }))
  if (data === undefined) return null
  const recent = data.calls.filter(({ at }) => Date.now() - Date.parse(at) < hourMs)
  const addresses = [...new Set(recent.flatMap(({ address }) => (address === null ? [] : [address])))]
  // Calls that the pod itself made have no address. If there are only such calls, the text names no address.
  const from = addresses.length === 0 ? "" : `, from ${addresses.join(", ")}`
  const number = recent.length === data.calls.length && recent.length === 50 ? "At least 50" : String(recent.length)
  return (
    <p>
      {recent.length === 0
        ? "No calls in the last hour."
        : `${number} ${number === "1" ? "call" : "calls"} in the last hour${from}.`}
    </p>
  )
}

const RevokeForm = ({ keys, onClose }: RevokeDialogProps) => {
  const queries = useQueryClient()
  const [reason, setReason] = useState("")
  const revoke = useMutation({
    mutationFn: async () => {
      // The console revokes one key after another. Each call returns only when nothing more can be written with the
      // revoked key.
      for (const { id } of keys) {
        await change("apiKeys.revoke", { keyId: id, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) })
      }
    },
    onSuccess: () => {
      showToast({
        text: keys.length === 1 ? `${keys[0]?.keyName ?? "The key"} is revoked.` : `${keys.length} keys are revoked.`
      })
      onClose()
    },
    onSettled: () =>
      Promise.all(["apiKeys", "connections"].map((group) => queries.invalidateQueries({ queryKey: [group] })))
  })
  const [only] = keys
  return (
    <div className="grid gap-3">
      <ul className="list-disc pl-5">
        {keys.map(({ id, keyName, lastFour }) => (
          <li key={id}>
            <strong>{keyName}</strong> …{lastFour}
            <LastHour keyId={id} />
          </li>
        ))}
      </ul>
      <p>Calls that run now end with 401. There is no undo.</p>
      <TextField
        label="Reason"
        hint="Optional. It stays with the key."
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      {revoke.error !== null && <ErrorBox error={revoke.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
          {keys.length === 1 ? `Revoke ${only?.keyName ?? "the key"}` : `Revoke ${keys.length} keys`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </div>
  )
}

export const RevokeDialog = ({ keys, onClose }: RevokeDialogProps) => (
  <Dialog
    title={keys.length === 1 ? "Revoke this key?" : "Revoke these keys?"}
    isOpen={keys.length > 0}
    onClose={onClose}
  >
    <RevokeForm keys={keys} onClose={onClose} />
  </Dialog>
)
