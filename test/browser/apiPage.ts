/** A pod and a browser for a suite about the API page. */
import { afterAll, beforeAll } from "vitest"
import { aPod, type TestPod } from "../support/pod.ts"
import { aBrowser, type Browser, type Tab } from "./tab.ts"

export interface ApiPageScene {
  readonly pod: TestPod
  readonly browser: Browser
  /** Opens a page of the pod in a new tab of a wide screen. For the API page, waits for the list of operations. */
  readonly opened: (path?: string) => Promise<Tab>
}

/** Starts the pod and the browser before the tests of the suite, and stops them afterwards. */
export const anApiPageScene = (): ApiPageScene => {
  let pod: TestPod
  let browser: Browser
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
    browser = await aBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await pod?.stop()
  })
  return {
    get pod() {
      return pod
    },
    get browser() {
      return browser
    },
    opened: async (path = "/docs") => {
      const tab = await browser.tab()
      await tab.look({ width: 1280, isDark: false })
      await tab.open(pod.baseUrl + path)
      if (path.startsWith("/docs")) await tab.until(`document.querySelector(".operation")`)
      return tab
    }
  }
}
