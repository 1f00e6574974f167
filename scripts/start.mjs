/** `npm start`: installs and builds what is missing, and then runs the pod in the same process. */
import { build } from "./build.mjs"
import { install } from "./install.mjs"
import { stopWithStarter } from "./starter.mjs"

/** Ends the start if the port is in use. The first part of the build, which takes a second, contains this check. */
const requireFreePort = async () => {
  const { portRefusal } = await import("../dist/PortCheck.js")
  const refusal = await portRefusal()
  if (refusal === undefined) return
  process.stderr.write(`${refusal.text.trimEnd()}\n`)
  process.exit(refusal.code)
}

stopWithStarter()
install()
await build(requireFreePort)
await import("../dist/main.js")
