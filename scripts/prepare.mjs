/**
 * Runs after an install. Patches the compiler, so that the compiler reports mistakes in the use of Effect. Does nothing
 * in an install without development packages, because such an install has no compiler.
 */
import { existsSync } from "node:fs"
import { root, run } from "./install.mjs"

const patch = `${root}node_modules/.bin/effect-tsgo`
if (existsSync(patch)) run(patch, ["patch"], { stdio: ["ignore", "ignore", "inherit"] })
