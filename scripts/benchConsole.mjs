/**
 * `npm run bench:console`: measures the speed of the console. Measures the sizes of the bundles, and the time until a
 * browser on a slow processor shows the largest part of a screen. Also measures the live list of events under load, and
 * the preview of a grant over many records. It only prints the figures, and a person copies them into bench/README.md.
 */
import { PGlite } from "@electric-sql/pglite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "./build.mjs"
import { browserPath, openConsole } from "./consoleBrowser.mjs"
import { consoleWeights } from "./consoleWeights.mjs"
import { callerOf, owner, startPod } from "./demoPod.mjs"
import { install, root } from "./install.mjs"
import { playedTail } from "./playedTail.mjs"

const entities = Number(process.argv.find((each) => each.startsWith("--entities="))?.slice(11) ?? 50_000)
const rounds = 5
// The simulated processor is slower by this factor.
const slowdown = 4
const previews = 40

const say = (text = "") => process.stdout.write(`${text}\n`)
const kB = (bytes) => (bytes / 1000).toFixed(1).padStart(6)
const at = (values, share) => values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1]

const sizes = () => {
  const { first, lazy, styles } = consoleWeights(join(root, "dist/console"))
  const row = (title, { brotliBytes, gzipBytes }) =>
    say(`  ${title.padEnd(22)} ${kB(gzipBytes)} kB gz  ${kB(brotliBytes)} kB br`)
  say("Bundles")
  row("first load, scripts", first)
  row("first load, styles", styles)
  for (const screen of lazy) {
    if (/^[A-Z]\w*Page-[\w-]+\.js$/.test(screen.name)) row(screen.name.split("-")[0], screen)
  }
}

/** Fills the database of a stopped pod with records of the pod's owner. */
const fill = async (dataDir) => {
  const database = await PGlite.create({ dataDir: join(dataDir, "pg") })
  const { rows } = await database.query("SELECT owner_id::text AS id FROM pod_state")
  await database.query(
    `INSERT INTO entities (id, space_id, profile_slug, title, preview, description, properties, user_id, actor_id)
     SELECT gen_random_uuid(), $2::uuid, (ARRAY['note', 'knowledge', 'person', 'company', 'task'])[1 + number % 5],
       'Record ' || number, 'What listings show', repeat('Some words. ', 8), '{}', $2::uuid, $2::uuid
     FROM generate_series(1, $1::int) AS number`,
    [entities, rows[0].id]
  )
  await database.exec("VACUUM ANALYZE entities")
  await database.close()
}

const inBrowser = async (base, session) => {
  const { browser, openPage } = await openConsole(session)
  say(`\nLargest part shown, processor ${slowdown} times slower, empty cache (median of ${rounds})`)
  for (const [path, heading] of [
    ["/", "Home"],
    ["/inbox", "Inbox"],
    ["/explore", "Explore"],
    ["/keys/new", "New key"],
    ["/connections", "Connections"]
  ]) {
    const times = []
    for (let round = 0; round < rounds; round++) {
      const page = await openPage()
      const tools = await page.context().newCDPSession(page)
      await tools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
      await page.goto(`${base}/admin${path}`)
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor()
      await page
        .getByText(/Reading .* …/)
        .first()
        // An event stream never ends, so the benchmark cannot wait until the network is idle.
        .waitFor({ state: "detached" })
      times.push(
        await page.evaluate(
          () =>
            new Promise((resolve) =>
              new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
                type: "largest-contentful-paint",
                buffered: true
              })
            )
        )
      )
      await page.context().close()
    }
    say(`  ${path.padEnd(22)} ${Math.round(at(times, 0.5))} ms`)
  }
  const [perSecond, seconds] = [200, 10]
  const tail = await openPage({ prepare: (page) => page.addInitScript(playedTail(perSecond, seconds)) })
  await tail.goto(`${base}/admin/events`)
  await tail.getByText(`${perSecond * seconds} events shown`).waitFor({ timeout: 120_000 })
  const longest = Number(await tail.evaluate("window.longest"))
  const lines = await tail.getByRole("region", { name: "Events" }).getByRole("listitem").count()
  say(
    `\nLive tail of ${perSecond} events a second for ${seconds} s\n  longest task ${Math.round(longest)} ms, ${lines} rows in the page`
  )
  await browser.close()
}

const preview = async (call, me) => {
  say(`\nPreview of a grant over ${entities} entities (${previews} calls one after the other)`)
  for (const [name, grant] of [
    ["everything", { permissions: ["*"] }],
    ["two kinds", { permissions: ["entity.note.read", "entity.task.read"] }]
  ]) {
    const input = encodeURIComponent(JSON.stringify({ grant }))
    const times = []
    for (let round = 0; round < previews + 3; round++) {
      const began = performance.now()
      const { status } = await call("GET", `/trpc/grants.preview?input=${input}`, me)
      if (status !== 200) throw new Error(`grants.preview answered ${status}`)
      // The first three rounds only warm the pod up.
      if (round >= 3) times.push(performance.now() - began)
    }
    say(`  ${name.padEnd(22)} p50 ${Math.round(at(times, 0.5))} ms, p95 ${Math.round(at(times, 0.95))} ms`)
  }
}

const killed = (pid) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // The process has already ended.
  }
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

install()
await build()
sizes()
const dataDir = mkdtempSync(join(tmpdir(), "pod-bench-console-"))
try {
  await (await startPod(dataDir)).stop()
  await fill(dataDir)
  const pod = await startPod(dataDir)
  // If a person interrupts the measurement, the pod must not continue to run.
  process.once("exit", () => killed(pod.pid))
  try {
    const call = callerOf(pod.base)
    const { body: session } = await call("POST", "/auth/sign-in", {}, owner)
    await preview(call, { "x-session-token": session.token })
    if (browserPath === undefined) say("\nNo Chromium on this machine: CHROMIUM_PATH may name one.")
    else await inBrowser(pod.base, session)
  } finally {
    await pod.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
