/** The page for a screen that failed, and the page for an address without a screen. */
import { Link } from "@tanstack/react-router"
import { Button } from "../ui/Button.tsx"
import { ErrorBox } from "../ui/ErrorBox.tsx"
import { Page } from "../ui/Page.tsx"

export const CrashPage = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <main className="p-4">
    <Page title="This screen failed">
      <ErrorBox error={error} />
      <div className="flex gap-2">
        <Button onClick={reset}>Retry</Button>
        <Button onClick={() => location.reload()}>Load the console again</Button>
      </div>
    </Page>
  </main>
)

export const Unknown = () => (
  <Page title="There is no such screen">
    <p>
      This console has no screen at this address. <Link to="/">Go to Home</Link>.
    </p>
  </Page>
)
