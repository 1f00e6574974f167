/** The files in deploy/ must use only settings, ports and exit codes that the pod has. */
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { readFileSync } from "node:fs"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { settingsTable } from "../../src/platform/settings/Settings.ts"
import { projectRoot } from "../support/migrations.ts"

const text = (path: string) => readFileSync(`${projectRoot}${path}`, "utf8")
const files = ["deploy/Dockerfile", "deploy/compose.yaml", "deploy/pod.service"]

it("every variable in the files of deploy/ is a setting of the pod, or a setting with the path of a file that contains the value", () => {
  const known = new Set<string>(Object.values(settingsTable).map(({ name }) => name))
  for (const file of files) {
    const named = [...text(file).matchAll(/POD_[A-Z_]+/g)].map(([name]) => name.replace(/_FILE$/, ""))
    assert.isNotEmpty(named)
    for (const name of named) assert.isTrue(known.has(name), `${file}: ${name}`)
  }
})

it("the files of deploy/ publish and probe the port on which the pod listens by default", () => {
  const port = Option.getOrThrow(settingsTable.port.defaultText)
  assert.include(text("deploy/Dockerfile"), `EXPOSE ${port}`)
  assert.include(text("deploy/Dockerfile"), `http://127.0.0.1:${port}/readyz`)
  assert.include(text("deploy/compose.yaml"), `:${port}:${port}`)
})

it("systemd does not restart the pod after an exit code whose cause only a person can remove", () => {
  const { badSettings, badUsage, dataDamaged, dataUnfit, schemaUnknown } = exitCodes
  const stays = /^RestartPreventExitStatus=(.*)$/m.exec(text("deploy/pod.service"))?.[1]?.split(" ").map(Number)
  assert.sameMembers(stays ?? [], [badUsage, badSettings, dataUnfit, schemaUnknown, dataDamaged])
})

it("the folder with the passwords of deploy/compose.yaml is ignored by Git and by Docker image builds", () => {
  const secrets = [...text("deploy/compose.yaml").matchAll(/file: \.\/(\w+)\//g)].map(
    ([, folder]) => `deploy/${folder}`
  )
  assert.isNotEmpty(secrets)
  for (const folder of secrets) {
    assert.include(text(".dockerignore").split("\n"), folder)
    assert.include(text(".gitignore").split("\n"), `${folder}/`)
  }
})
