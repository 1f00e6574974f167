/**
 * The dialog that shows the secret of a webhook once. It closes only when the person confirms that the secret is
 * stored.
 */
import type { ReactNode } from "react"
import { Button } from "../../ui/Button.tsx"
import { Copyable } from "../../ui/Copyable.tsx"

interface SecretShownProps {
  readonly secret: string
  readonly children?: ReactNode
  readonly onStored: () => void
}

export const SecretShown = ({ children, onStored, secret }: SecretShownProps) => (
  <div className="grid gap-3">
    <p className="font-medium">Store this secret now. The pod shows it only this once.</p>
    {children}
    <Copyable text={secret} name="the secret" />
    <div>
      <Button kind="primary" onClick={onStored}>
        I stored it
      </Button>
    </div>
  </div>
)
