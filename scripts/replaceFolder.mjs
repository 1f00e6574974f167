/**
 * Replaces the contents of a folder by new contents. If the new contents cannot be made, for example because a source
 * does not compile, the folder keeps its former contents.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"

/**
 * Lets `make` write into a new folder beside `folder`, and then moves the entries of the new folder into `folder`.
 * Removes the former entries, except those in `kept`.
 */
export const replaceFolder = async (folder, kept, make) => {
  const draft = `${folder}-new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    await make(draft)
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder)) {
      if (!kept.includes(name)) rmSync(`${folder}/${name}`, { recursive: true, force: true })
    }
    for (const name of readdirSync(draft)) renameSync(`${draft}/${name}`, `${folder}/${name}`)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
