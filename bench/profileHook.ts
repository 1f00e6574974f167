/** Loaded into the pod's process before it: profiles from SIGUSR2 until the process is told to stop, then writes. */
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector"

const path = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const session = new Session()
session.connect()

process.once("SIGUSR2", () => {
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval: 200 })
  session.post("Profiler.start")
  process.once("SIGTERM", () => {
    session.post("Profiler.stop", (_, { profile }) => writeFileSync(path, JSON.stringify(profile)))
  })
})
