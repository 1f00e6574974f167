/** The folder of a build: a build that fails leaves the former build as it was. */
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { replaceFolder } from "../../scripts/replaceFolder.mjs"
import { aFolder } from "../support/builtPod.ts"

const aBuild = () => {
  const home = aFolder()
  const dist = join(home.path, "dist")
  mkdirSync(join(dist, "console"), { recursive: true })
  writeFileSync(join(dist, "main.js"), "former")
  writeFileSync(join(dist, "part-of-the-former.js"), "former")
  return {
    home,
    dist,
    namesAt: () => readdirSync(dist).toSorted(),
    main: () => readFileSync(join(dist, "main.js"), "utf8")
  }
}

describe("the folder of a build", () => {
  it("if a build of the sources fails, the folder of the build contains exactly the files of the former build", async () => {
    const { dist, home, main, namesAt } = aBuild()
    const failing = (folder: string) => {
      writeFileSync(join(folder, "main.js"), "half")
      throw new Error("the sources do not build")
    }
    const failed = await replaceFolder(dist, ["console"], failing).catch((error: unknown) => error)
    assert.instanceOf(failed, Error)
    assert.deepStrictEqual(namesAt(), ["console", "main.js", "part-of-the-former.js"])
    assert.strictEqual(main(), "former")
    assert.deepStrictEqual(readdirSync(home.path), ["dist"])
    home.remove()
  })

  it("a new build replaces the files of the former build, but keeps the files that other builds have made", async () => {
    const { dist, home, main, namesAt } = aBuild()
    await replaceFolder(dist, ["console"], (folder) => writeFileSync(join(folder, "main.js"), "new"))
    assert.deepStrictEqual(namesAt(), ["console", "main.js"])
    assert.strictEqual(main(), "new")
    home.remove()
  })
})
