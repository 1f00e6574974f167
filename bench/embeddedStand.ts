/**
 * Prepares two servers for a benchmark of the embedded engine: the pod, and the floor (the minimal server for
 * comparison). The floor uses a copy of the pod's database.
 */
import { PGlite } from "@electric-sql/pglite"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { aCaller } from "./caller.ts"
import { serve } from "./child.ts"
import { type Ask, seed } from "./seed.ts"
import { floorScript, settingsOf, someSecrets, type Stand, type StandOptions } from "./stand.ts"

export const anEmbeddedStand = async ({
  dist,
  nodeFlags = [],
  rows,
  visibleShare
}: Pick<StandOptions, "dist" | "nodeFlags" | "rows" | "visibleShare">): Promise<Stand> => {
  const folder = mkdtempSync(join(tmpdir(), "pod-bench-"))
  const secrets = someSecrets()
  const dataFolder = join(folder, "pod")
  const floorDatabase = join(folder, "floor")
  const startPod = () =>
    serve(
      "the pod",
      [...nodeFlags, join(dist, "main.js")],
      { POD_DATA_DIR: dataFolder, ...settingsOf(secrets) },
      folder
    )

  // A pod first makes the database and the caller. Then this pod stops, because only one process can open the database.
  const first = await startPod()
  const caller = await aCaller(first.port, secrets.owner.email, secrets.owner.password)
  await first.stop()
  const lite = await PGlite.create({ dataDir: join(dataFolder, "pg") })
  const ask: Ask = (text, values) => lite.query(text, [...(values ?? [])])
  const entityIds = await seed(ask, {
    rows,
    visible: Math.round(rows * visibleShare),
    personId: caller.personId,
    spaceIds: [caller.personId, ...caller.workspaceIds]
  })
  await lite.close()
  cpSync(join(dataFolder, "pg"), floorDatabase, { recursive: true })

  const pod = await startPod()
  const floor = await serve(
    "the floor",
    [floorScript],
    { FLOOR_DATABASE_FOLDER: floorDatabase, FLOOR_PEPPER: secrets.pepper },
    folder
  )
  return {
    pod,
    floor,
    ...caller,
    entityIds,
    // The engine runs inside each server, so there is no database server to measure.
    databaseCpu: () => 0,
    countEvents: undefined,
    stop: async () => {
      await Promise.all([pod.stop(), floor.stop()])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
