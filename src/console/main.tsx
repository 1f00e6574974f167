/** Starts the console in the browser. */
// oxlint-disable-next-line import/no-unassigned-import -- Vite makes a style sheet of it
import "./styles.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { CSPProvider } from "@base-ui/react/csp-provider"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { forgetDrafts } from "./api/drafts.ts"
import { noAnswerCode } from "./api/inTime.ts"
import { ReadCache } from "./api/ReadCache.ts"
import { Refusal } from "./api/refusal.ts"
import { onOtherPerson } from "./api/session.ts"
import { makeRouter } from "./router.ts"
import { keepFocus } from "./shell/keepFocus.ts"
import { applyTheme, storedTheme } from "./shell/theme.ts"
import { Toasts } from "./ui/Toasts.tsx"

applyTheme(storedTheme())
keepFocus()

/**
 * True if a second try can succeed, because the console did not reach the pod or because the pod was busy. Any other
 * failed read would fail again. After a read without an answer the person decides, because each try takes long.
 */
const isWorthARetry = (count: number, failure: unknown) =>
  count < 2 &&
  failure instanceof Refusal &&
  failure.code !== noAnswerCode &&
  (failure.status === 0 || failure.status === 503)

const queries = new ReadCache({
  defaultOptions: { queries: { retry: isWorthARetry, staleTime: 5_000, refetchOnWindowFocus: true } }
})
onOtherPerson(() => {
  queries.clear()
  forgetDrafts()
})
const router = makeRouter({ queries })
// The screen's code and data begin to load here, before React renders the shell for the first time.
void router.load()

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element #root.")
createRoot(root).render(
  <StrictMode>
    {/* Without this, Base UI would write a style element, which the content security policy refuses. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>
)
