/** Chromium for tests, controlled over its DevTools pipe: no package, no port, and no profile of the machine. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { describe, it } from "vitest"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** The browser of this machine; CHROMIUM_PATH can name another. */
const executable: string | undefined = [process.env["CHROMIUM_PATH"], ...places].find(
  (path) => path !== undefined && existsSync(path)
)

/** A suite that needs a browser. Without one it is skipped by name, or fails where POD_REQUIRE_BROWSER is set. */
export const describeBrowser = (name: string, suite: () => void): void => {
  if (executable !== undefined) describe(name, suite)
  else if (process.env["POD_REQUIRE_BROWSER"] === "1") {
    describe(name, () => {
      it("this suite needs Chromium: apt-get install chromium, or set CHROMIUM_PATH", () => {
        throw new Error("no Chromium on this machine")
      })
    })
  } else describe.skip(`${name} (skipped: no Chromium on this machine; CHROMIUM_PATH may name one)`, suite)
}

/** The messages that DevTools sends without a request, as far as tests use them. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly params?: {
    readonly request?: { readonly url: string }
    readonly entry?: { readonly text: string; readonly url?: string }
    readonly exceptionDetails?: unknown
  }
}

/** The answer of `Runtime.evaluate`. */
interface Evaluated {
  readonly result: { readonly value: unknown }
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } }
}

/** One tab. */
export interface Tab {
  readonly open: (url: string) => Promise<void>
  /** The awaited value of an expression in the page. The caller states its type. */
  readonly read: <A = unknown>(expression: string) => Promise<A>
  /** Waits until an expression is truthy. */
  readonly until: (expression: string) => Promise<void>
  /** Clicks the element of a selector as a pointer would. */
  readonly click: (selector: string) => Promise<void>
  /** Types into the focused element. */
  readonly type: (text: string) => Promise<void>
  readonly press: (key: "Enter" | "Escape" | "Tab" | "/") => Promise<void>
  readonly look: (options: { readonly width: number; readonly isDark: boolean }) => Promise<void>
  /** A PNG of the visible window. */
  readonly picture: () => Promise<Buffer>
  readonly close: () => Promise<void>
  /** Every address that the tab requested, in order. */
  readonly asked: ReadonlyArray<string>
  /** The complaints of the browser: violated policies, failed loads, thrown errors. */
  readonly complaints: ReadonlyArray<string>
}

export interface Browser {
  readonly tab: () => Promise<Tab>
  readonly close: () => Promise<void>
}

const flags = [
  "--headless=new",
  "--no-sandbox", // tests run as root in containers, where the sandbox cannot start
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--no-first-run",
  "--hide-scrollbars",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--remote-debugging-pipe"
]

const keyCodes = { Enter: 13, Escape: 27, Tab: 9, "/": 191 } as const

/** The connection: JSON messages that end in NUL, out on descriptor 3 and in on 4. */
const connect = (child: ChildProcess) => {
  const out = child.stdio[3] as Writable
  const back = child.stdio[4] as Readable
  const waiting = new Map<
    number,
    { readonly resolve: (result: never) => void; readonly reject: (why: Error) => void }
  >()
  const listeners = new Set<(message: Message) => void>()
  let last = 0
  let rest = ""
  const take = (message: Message) => {
    if (message.id === undefined) return listeners.forEach((listener) => listener(message))
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) asker?.resolve(message.result as never)
    else asker?.reject(new Error(message.error.message))
  }
  back.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0")
    rest = parts.pop()!
    for (const part of parts) take(JSON.parse(part))
  })
  child.once("exit", () => waiting.forEach(({ reject }) => reject(new Error("Chromium ended"))))
  const send = <A = unknown>(method: string, params: object = {}, sessionId?: string) =>
    new Promise<A>((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      out.write(`${JSON.stringify({ id: last, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
    })
  return { send, listen: (listener: (message: Message) => void) => listeners.add(listener) }
}

const attach = async (wire: ReturnType<typeof connect>): Promise<Tab> => {
  const { targetId } = await wire.send<{ targetId: string }>("Target.createTarget", { url: "about:blank" })
  const { sessionId } = await wire.send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true })
  const send = <A = unknown>(method: string, params: object = {}) => wire.send<A>(method, params, sessionId)
  const asked: Array<string> = []
  const complaints: Array<string> = []
  let loaded = () => {}
  wire.listen(({ sessionId: from, method, params }) => {
    if (from !== sessionId) return
    const { request, entry, exceptionDetails } = params ?? {}
    if (method === "Network.requestWillBeSent" && request !== undefined) asked.push(request.url)
    else if (method === "Log.entryAdded" && entry !== undefined) complaints.push(`${entry.text} ${entry.url ?? ""}`)
    else if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(exceptionDetails))
    else if (method === "Page.loadEventFired") loaded()
  })
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await send(`${domain}.enable`)

  const read = async <A>(expression: string): Promise<A> => {
    const { result, exceptionDetails } = await send<Evaluated>("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? expression)
    return result.value as A
  }
  return {
    close: async () => {
      await wire.send("Target.closeTarget", { targetId })
    },
    asked,
    complaints,
    read,
    open: async (url) => {
      const done = new Promise<void>((resolve) => (loaded = resolve))
      await send("Page.navigate", { url })
      await done
    },
    until: async (expression) => {
      // The page itself checks in short intervals, so that the test does not sleep for a guessed time.
      const isTrue = await read<boolean>(
        `new Promise((resolve) => { const endMs = performance.now() + 10000; const look = () => { let found = false; try { found = Boolean(${expression}) } catch {} if (found || performance.now() > endMs) resolve(found); else setTimeout(look, 20) }; look() })`
      )
      if (!isTrue) throw new Error(`never true: ${expression}; ${await read("document.body.innerText")}`)
    },
    click: async (selector) => {
      const { x, y } = await read<{ x: number; y: number }>(
        `(() => { const found = document.querySelector(${JSON.stringify(selector)}); found.scrollIntoView({ block: "center", behavior: "instant" }); const { left, top, width, height } = found.getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 } })()`
      )
      for (const type of ["mousePressed", "mouseReleased"]) {
        await send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 })
      }
    },
    type: async (text) => {
      await send("Input.insertText", { text })
    },
    press: async (key) => {
      const text = key === "Enter" ? { text: "\r" } : key === "/" ? { text: "/" } : {}
      const described = { key, code: key === "/" ? "Slash" : key, windowsVirtualKeyCode: keyCodes[key] }
      await send("Input.dispatchKeyEvent", { type: "keyDown", ...described, ...text })
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...described })
    },
    look: async ({ width, isDark }) => {
      await send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false })
      await send("Emulation.setEmulatedMedia", {
        features: [
          { name: "prefers-color-scheme", value: isDark ? "dark" : "light" },
          { name: "prefers-reduced-motion", value: "reduce" }
        ]
      })
    },
    picture: async () => Buffer.from((await send<{ data: string }>("Page.captureScreenshot")).data, "base64")
  }
}

/** Starts a browser with an empty profile, which is removed at the end. */
export const aBrowser = async (): Promise<Browser> => {
  const profile = mkdtempSync(join(tmpdir(), "pod-browser-"))
  const child = spawn(executable!, [...flags, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  const wire = connect(child)
  await wire.send("Browser.getVersion")
  return {
    tab: () => attach(wire),
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      await wire.send("Browser.close").catch(() => child.kill("SIGKILL"))
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
