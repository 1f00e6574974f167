/** Writes a file that gets its final name only when its whole content is on the disk. */
import { existsSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { refuse } from "./TransferRefused.ts"

const partialEnd = ".partial"

/** Flushes the list of file names of a folder to the disk (fsync). */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

export const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, "r+")
  await handle.sync().finally(() => handle.close())
}

/** Sends content to a stream, such as the standard output. The stream stays open after the content. */
export const sendTo = (content: AsyncIterable<string | Uint8Array>, output: Writable): Promise<void> =>
  pipeline(Readable.from(content, { objectMode: false }), output, { end: false })

/** Refuses a file that exists already, or whose folder does not exist. */
export const checkNewFile = (path: string): void => {
  if (existsSync(path)) refuse("target", `The file ${path} already exists. Choose another name, or remove the file.`)
  if (!existsSync(dirname(path))) refuse("missing", `The folder of ${path} does not exist.`)
}

/** Writes a new file, compressed if `compressed` is set. If the write fails, no file is left. */
export const writeNewFile = async (
  path: string,
  content: AsyncIterable<string | Uint8Array>,
  { compressed = false }: { readonly compressed?: boolean } = {}
): Promise<void> => {
  checkNewFile(path)
  const partial = `${path}${partialEnd}`
  try {
    // The mode has an effect only on a new file. The folder can belong to somebody else, who could have put a link or a
    // file of their own there. So the pod removes everything at this path. If something is at this path again when the
    // pod writes, the write fails.
    await rm(partial, { force: true })
    const handle = await open(partial, "wx", 0o600)
    try {
      const keep = async (chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
        for await (const chunk of chunks) await handle.writeFile(chunk)
      }
      if (compressed) await pipeline(Readable.from(content, { objectMode: false }), createGzip({ level: 4 }), keep)
      else await keep(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, path)
  } catch (cause) {
    await rm(partial, { force: true })
    throw cause
  }
  await syncFolder(dirname(path))
}
