/** `npm start`: installs and builds what is missing, then runs the pod in this very process. */
import { build } from "./build.mjs"
import { install } from "./install.mjs"

install()
build()
await import("../dist/main.js")
