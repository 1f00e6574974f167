/** Unpacks a bundle for Claude Desktop with the zip library of Python, which also checks the file. */
import { execFileSync } from "node:child_process"

const script =
  "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2]); print(','.join(z.namelist()))"

/** Unpacks the bundle into the folder, and returns the names of its files. */
export const unpackBundle = (bundle: string, folder: string): ReadonlyArray<string> =>
  execFileSync("python3", ["-c", script, bundle, folder], { encoding: "utf8" }).trim().split(",")
