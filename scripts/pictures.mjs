/**
 * `npm run pictures`: takes the pictures of the console that the documentation shows, on a new pod with the sample data.
 * Run it after a change that the pictures show.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { build } from "./build.mjs"
import { browserPath, openConsole } from "./consoleBrowser.mjs"
import { callerOf, owner, startPod } from "./demoPod.mjs"
import { install, root } from "./install.mjs"

const patienceMs = 120_000

/** Waits until the pod has made its sample data, and returns the id of the workspace of the sample. */
const madeSample = async (call, me) => {
  for (const since = Date.now(); Date.now() - since < patienceMs; await setTimeout(200)) {
    const { body } = await call("GET", "/api/hub/events?type=sample.made", me)
    if (body.length > 0) return body[0].data.workspaceId
  }
  throw new Error("the pod made no sample data")
}

/** Makes a key that expires soon, and makes a call with it that the key may not make. So Home has something to show. */
const useNarrowKey = async (call, me) => {
  const { body } = await call("POST", "/trpc/apiKeys.create", me, {
    keyName: "Import of spring",
    scope: ["hub-protocol.read"],
    grant: { permissions: ["entity.task.read"] },
    expiresInDays: 5
  })
  await call("GET", "/api/hub/documents", { authorization: `Bearer ${body.result.data.key}` })
}

/** Waits until the page shows this text, all of its data and all names. */
const settled = async (page, text) => {
  await page.getByText(text).first().waitFor()
  await page.waitForFunction(
    () =>
      !/Reading [^.]* …|by …/.test(document.body.textContent) &&
      document.querySelector(".animate-pulse") === null &&
      // A name that the page still reads is an element with this sign alone.
      ![...document.querySelectorAll("main span")].some((one) => one.textContent.trim() === "…")
  )
}

const picture = async (page, name) => {
  await page.screenshot({ path: join(root, "docs/pictures", `${name}.png`) })
  process.stdout.write(`docs/pictures/${name}.png\n`)
  await page.context().close()
}

const takePictures = async (base, session, workspaceId) => {
  const { browser, openPage } = await openConsole(session)
  try {
    const opened = async (path, text, size) => {
      const page = await openPage(size)
      await page.goto(`${base}/admin${path}`)
      await settled(page, text)
      return page
    }
    await picture(await opened("/", "GRANT_DOOR_UNSUPPORTED"), "home")
    await picture(await opened("/connections", "Import of spring"), "connections")
    await picture(await opened("/health", /migrations applied/), "health")
    await picture(await opened("/inbox", "Choose the folding joint", { width: 390, height: 900 }), "inbox-phone")

    const inbox = await opened("/inbox", "Choose the folding joint")
    await inbox.getByRole("link", { name: /Choose the folding joint/ }).click()
    await settled(inbox, "Nobody else changed these fields since it was proposed.")
    await picture(inbox, "inbox")

    const explore = await opened("/explore", "Knowledge entries")
    await explore.getByRole("link", { name: /Knowledge entries/ }).click()
    await explore.getByRole("combobox", { name: "Workspace" }).last().selectOption(workspaceId)
    await settled(explore, "team.office")
    await picture(explore, "explore")

    const wizard = await opened("/keys/new", "Read one workspace")
    await wizard.getByRole("button", { name: /Read one workspace/ }).click()
    await wizard.getByRole("checkbox", { name: "Acme demo" }).check()
    await settled(wizard, /you can see in Acme demo/)
    await wizard.evaluate(() => scrollTo(0, 0))
    await picture(wizard, "key-wizard")
  } finally {
    await browser.close()
  }
}

install()
await build()
if (browserPath === undefined) {
  process.stderr.write("No Chromium on this machine. Set CHROMIUM_PATH to the path of Chromium.\n")
  process.exit(1)
}
const dataDir = mkdtempSync(join(tmpdir(), "pod-pictures-"))
try {
  const pod = await startPod(dataDir, { POD_SEED: "demo" })
  try {
    const call = callerOf(pod.base)
    const { body: session } = await call("POST", "/auth/sign-in", {}, owner)
    const me = { "x-session-token": session.token }
    const workspaceId = await madeSample(call, me)
    await useNarrowKey(call, me)
    await takePictures(pod.base, session, workspaceId)
  } finally {
    await pod.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
