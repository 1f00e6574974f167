/**
 * Runs after an install: patches the compiler so that it reports mistakes in the use of Effect. Without development
 * packages there is no compiler.
 */
import { existsSync } from "node:fs"
import { root, run } from "./install.mjs"

const patch = `${root}node_modules/.bin/effect-tsgo`
if (existsSync(patch)) run(patch, ["patch"], { stdio: ["ignore", "ignore", "inherit"] })
