/** The page for a screen that failed, and the page for an address without a screen. */
import { Link } from "@tanstack/react-router"
import { Button } from "../ui/Button.tsx"
import { ErrorBox } from "../ui/ErrorBox.tsx"
import { Page } from "../ui/Page.tsx"

/**
 * True if the browser could not load the code of a screen. After an update of the pod, the files have other names, so a
 * tab that was opened before the update cannot load further screens. The texts are those of Chromium, Firefox and Safari.
 */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|error loading dynamically/i.test(error.message)

const reload = () => location.reload()

export const CrashPage = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <main className="p-4">
    {isMissingCode(error) ? (
      <Page
        title="Load the console again"
        about="This screen could not be loaded. Probably the pod was updated while this tab was open, or it does not answer."
      >
        <div>
          <Button kind="primary" onClick={reload}>
            Load the console again
          </Button>
        </div>
      </Page>
    ) : (
      <Page title="This screen failed">
        <ErrorBox error={error} />
        <div className="flex gap-2">
          <Button onClick={reset}>Retry</Button>
          <Button onClick={reload}>Load the console again</Button>
        </div>
      </Page>
    )}
  </main>
)

export const Unknown = () => (
  <Page title="There is no such screen">
    <p>
      This console has no screen at this address. <Link to="/">Go to Home</Link>.
    </p>
  </Page>
)
