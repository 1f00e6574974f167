/**
 * Shows the recovery key of the vault. With this key, the person can open the vault again after the pod's encryption
 * key was replaced.
 */
import { type FormEvent, useState } from "react"
import { change } from "../../api/procedures.ts"
import { useWrite } from "../../api/useWrite.ts"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { Panel } from "../../ui/Page.tsx"
import { Time } from "../../ui/Time.tsx"

const Recover = () => {
  const write = useWrite({
    run: (recoveryKey: string) => change("secretsVault.recover", { recoveryKey }),
    stale: ["secretsVault"],
    successMessage: () => "The vault is open again."
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate((textsOf(event.currentTarget)["key"] ?? "").trim())
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField label="Recovery key" name="key" required autoComplete="off" />
      {write.error !== null && <ErrorBox error={write.error} />}
      <div>
        <Button type="submit" kind="primary" isBusy={write.isPending}>
          Open the vault
        </Button>
      </div>
    </form>
  )
}

interface VaultRecoveryProps {
  readonly isLocked: boolean
  readonly madeAt: string | null
}

export const VaultRecovery = ({ isLocked, madeAt }: VaultRecoveryProps) => {
  const [recoveryKey, setRecoveryKey] = useState("")
  const write = useWrite({
    run: () => change("secretsVault.generateRecoveryKey", {}),
    stale: ["secretsVault"],
    onDone: (answer) => setRecoveryKey("recoveryKey" in answer ? answer.recoveryKey : "")
  })
  return (
    <Panel title="Recovery key">
      {isLocked ? (
        <Recover />
      ) : (
        <>
          <p>
            It opens the vault if the pod ever loses its encryption key. Created: <Time at={madeAt} />.
          </p>
          {recoveryKey !== "" && (
            <div role="status" className="grid gap-2">
              <p>Write it down and keep it apart from the pod. It is shown only now, and it replaces an earlier one.</p>
              <Copyable text={recoveryKey} name="the recovery key" />
            </div>
          )}
          {write.error !== null && <ErrorBox error={write.error} />}
          <div>
            <Button isBusy={write.isPending} onClick={() => write.mutate()}>
              {madeAt === null ? "Create a recovery key" : "Replace the recovery key"}
            </Button>
          </div>
        </>
      )}
    </Panel>
  )
}
