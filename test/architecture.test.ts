/**
 * Checks that ARCHITECTURE.md is right: every path and every feature that it names exists, and each feature is in
 * exactly one layer.
 */
import { assert, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { projectRoot } from "./support/migrations.ts"

const page = readFileSync(`${projectRoot}ARCHITECTURE.md`, "utf8")

/** The folders to which a path in ARCHITECTURE.md may be relative. */
const roots = ["", "src/", "src/features/", "src/platform/", "test/"]
const isThere = (path: string) => roots.some((root) => existsSync(projectRoot + root + path))

const sources = new Set(
  readdirSync(`${projectRoot}src`, { recursive: true, encoding: "utf8" }).map((file) => basename(file))
)

/**
 * The names of files and folders in the text. Each name is written as code, contains no space, and has a file extension
 * or a slash at the end.
 */
const named = [
  ...page.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|md|json)|\/))`|\(((?:doors|gate|features|platform)\/[\w/]+\.ts)/g)
].map(([, code, linked]) => code ?? linked ?? "")

it("ARCHITECTURE.md mentions only paths that exist in the repository", () => {
  assert.isAbove(named.length, 20)
  // These names belong to an example and are not in the code.
  const madeUp = new Set(["Bookmark.ts", "BookmarkApi.ts", "BookmarkHandlers.ts"])
  const gone = named.filter((path) => !madeUp.has(path) && !isThere(path) && !sources.has(path))
  assert.deepStrictEqual(gone, [])
})

it("the table of layers in ARCHITECTURE.md lists every feature folder exactly once, and every feature in the table has a folder", () => {
  const [, below = ""] = page.split("| Layer | Features |")
  const [table = ""] = below.split("\n\n")
  const listedFeatures = [...table.matchAll(/`([A-Za-z]+)`/g)].map(([, feature = ""]) => feature)
  assert.deepStrictEqual(listedFeatures.toSorted(), readdirSync(`${projectRoot}src/features`).toSorted())
})
