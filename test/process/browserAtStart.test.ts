/** Tests in which cases a starting pod opens the setup page in a browser, and how the browser gets the setup link. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { isOnLocalScreen, redirectPage, openLink, type StartEnvironment } from "../../src/BrowserAtStart.ts"
import { SetupLinkFile, setupPageOf } from "../../src/features/people/SetupLinkFile.ts"
import { aFolder } from "../support/builtPod.ts"

const desk: StartEnvironment = {
  environment: { DISPLAY: ":0" },
  platform: "linux",
  isTerminal: true,
  isInContainer: () => false
}

describe("the browser at the start", () => {
  it("a pod that starts on a machine with a screen opens a browser", () => {
    for (const here of [
      desk,
      { ...desk, environment: { WAYLAND_DISPLAY: "wayland-0" } },
      { ...desk, environment: { WSL_DISTRO_NAME: "Debian" } },
      { ...desk, environment: { DISPLAY: ":0", CI: "false" } },
      { ...desk, environment: {}, platform: "darwin" as const },
      { ...desk, environment: {}, platform: "win32" as const }
    ]) {
      assert.isTrue(isOnLocalScreen(here), JSON.stringify(here))
    }
  })

  it("a pod that starts without a terminal or a screen, over SSH, in a container or in CI opens no browser", () => {
    for (const here of [
      { ...desk, isTerminal: false },
      { ...desk, environment: {} },
      { ...desk, isInContainer: () => true },
      ...["CI", "CONTINUOUS_INTEGRATION", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].map((name) => ({
        ...desk,
        environment: { DISPLAY: ":0", [name]: "1" }
      })),
      { ...desk, environment: { SSH_TTY: "/dev/pts/0" }, platform: "darwin" as const }
    ]) {
      assert.isFalse(isOnLocalScreen(here), JSON.stringify(here))
    }
  })

  it("the browser opens a file with the setup link that only the pod's system user can read, and the pod deletes the file with the link", async () => {
    const folder = aFolder()
    const link = `http://localhost:8787/a&b"><script>/setup#token`
    const path = join(folder.path, "setup-link")
    const opened: Array<string> = []
    await Effect.runPromise(openLink(link, setupPageOf(path), async (target) => opened.push(target)))
    assert.deepStrictEqual(opened, [setupPageOf(path)])
    assert.strictEqual(statSync(setupPageOf(path)).mode & 0o777, 0o600)
    const page = readFileSync(setupPageOf(path), "utf8")
    assert.strictEqual(page, redirectPage(link))
    assert.include(page, "url=http://localhost:8787/a&#38;b&#34;&#62;&#60;script&#62;/setup#token")
    await Effect.runPromise(
      Effect.flatMap(SetupLinkFile, ({ write }) => write("http://localhost:8787/setup#next")).pipe(
        Effect.provide(SetupLinkFile.layer(path))
      )
    )
    // The folder has only one file, because a new link removes the file of the former link.
    assert.deepStrictEqual(readdirSync(folder.path), ["setup-link"])
    await Effect.runPromise(
      Effect.flatMap(SetupLinkFile, ({ remove }) => remove).pipe(Effect.provide(SetupLinkFile.layer(path)))
    )
    assert.deepStrictEqual(readdirSync(folder.path), [])
    folder.remove()
  })

  it("a start of a pod does not fail if the browser cannot be opened", async () => {
    const folder = aFolder()
    await Effect.runPromise(
      openLink("http://localhost", join(folder.path, "page.html"), () => Promise.reject(new Error("no browser")))
    )
    await Effect.runPromise(
      openLink("http://localhost", join(folder.path, "absent", "page.html"), async () => undefined)
    )
    folder.remove()
  })
})
