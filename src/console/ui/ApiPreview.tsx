/** The drawer that shows how a program can make the same calls as the screen: with curl, fetch, tRPC and MCP. */
import { lazy, Suspense, useState } from "react"
import { Button } from "./Button.tsx"
import type { PreviewedCall } from "./callForms.ts"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"

// Few people open the drawer, so the browser loads this code only when the drawer opens.
const PreviewedForms = lazy(async () => ({ default: (await import("./PreviewedForms.tsx")).PreviewedForms }))

export const ApiPreview = ({ calls }: { readonly calls: ReadonlyArray<PreviewedCall> }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="api" className="text-muted max-sm:hidden" />
        API
      </Button>
      <Dialog title="The same over the API" isOpen={isOpen} onClose={() => setOpen(false)} shape="drawer">
        <p className="text-muted">
          This screen calls the same API that every program can call. The credential is your own.
        </p>
        <Suspense fallback={null}>
          <PreviewedForms calls={calls} />
        </Suspense>
      </Dialog>
    </>
  )
}
