/** `npm start`: installs and builds what is missing, and then runs the pod in the same process. */
import { build } from "./build.mjs"
import { install } from "./install.mjs"
import { stopWithStarter } from "./starter.mjs"

stopWithStarter()
install()
await build()
await import("../dist/main.js")
