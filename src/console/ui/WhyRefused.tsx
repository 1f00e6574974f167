/** The button beside a refused action. It opens the reasons for the refusal. */
import { lazy, Suspense, useState } from "react"
import type { Refusal } from "../api/refusal.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

// Refusals are rare, so the browser loads this code only when a person asks for the reasons.
const RefusalReasons = lazy(async () => ({
  default: (await import("../screens/keys/RefusalReasons.tsx")).RefusalReasons
}))

interface WhyRefusedProps {
  /** The refused operation: a method and a path, the name of an operation, or an MCP tool. */
  readonly operation: string
  readonly objectId?: string | undefined
  /** The refusal of the person's own call. Undefined if the call was made with a key. */
  readonly refusal?: Refusal | undefined
  readonly keyId?: string | undefined
}

export const WhyRefused = ({ keyId, objectId, operation, refusal }: WhyRefusedProps) => {
  const [isOpen, setOpen] = useState(false)
  const name = refusal === undefined ? "Can this key do it?" : "Why?"
  return (
    <>
      <Button onClick={() => setOpen(true)}>{name}</Button>
      <Dialog title={`${name} ${operation}`} isOpen={isOpen} onClose={() => setOpen(false)} shape="drawer">
        {isOpen && (
          <Suspense fallback={null}>
            <RefusalReasons question={{ operation, objectId }} refusal={refusal} keyId={keyId} />
          </Suspense>
        )}
      </Dialog>
    </>
  )
}
