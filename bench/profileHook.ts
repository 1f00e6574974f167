/**
 * Node loads this code before the pod. The code profiles the process from SIGUSR2 until the signal to stop, and then
 * writes the profile to a file.
 */
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
