/** The files in deploy/ must use only settings, ports and exit codes that the pod has. */
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { exitCodes } from "../../src/platform/ExitCodes.ts"
import { settingsTable } from "../../src/platform/settings/Settings.ts"
import { projectRoot } from "../support/migrations.ts"

const text = (path: string) => readFileSync(`${projectRoot}${path}`, "utf8")
const files = ["deploy/Dockerfile", "deploy/compose.yaml", "deploy/pod.service"]

it("every variable in the files of deploy/ is a setting of the pod, or gives the path of a file with the value of a setting", () => {
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

it("systemd does not restart the pod after an exit code that shows a problem which only a person can solve", () => {
  const { badSettings, badUsage, dataDamaged, dataUnfit, schemaUnknown } = exitCodes
  const stays = /^RestartPreventExitStatus=(.*)$/m.exec(text("deploy/pod.service"))?.[1]?.split(" ").map(Number)
  assert.sameMembers(stays ?? [], [badUsage, badSettings, dataUnfit, schemaUnknown, dataDamaged])
})

it("Git and Docker image builds ignore the folder with the passwords of deploy/compose.yaml", () => {
  const secrets = [...text("deploy/compose.yaml").matchAll(/file: \.\/(\w+)\//g)].map(
    ([, folder]) => `deploy/${folder}`
  )
  assert.isNotEmpty(secrets)
  for (const folder of secrets) {
    assert.include(text(".dockerignore").split("\n"), folder)
    assert.include(text(".gitignore").split("\n"), `${folder}/`)
  }
})

it("the files of deploy/ set the V8 option `--max-semi-space-size`, which Node accepts from `NODE_OPTIONS`, and deploy.md states its memory cost", () => {
  for (const file of ["deploy/Dockerfile", "deploy/pod.service", "deploy/helm/templates/pod.yaml"]) {
    assert.include(text(file), "--max-semi-space-size=64", file)
  }
  const sizes = execFileSync(process.execPath, ["-p", "1"], { env: { NODE_OPTIONS: "--max-semi-space-size=64" } })
  assert.strictEqual(String(sizes).trim(), "1")
  assert.include(text("docs/operate/deploy.md"), "192 MB instead of 48 MB")
})

it("deploy/caddy/Caddyfile has the same text as the example in the page about reverse proxies, and uses the default port of the pod", () => {
  assert.include(text("docs/operate/reverse-proxy.md"), `\`\`\`text\n${text("deploy/caddy/Caddyfile")}\`\`\``)
  assert.include(text("deploy/caddy/Caddyfile"), `127.0.0.1:${Option.getOrThrow(settingsTable.port.defaultText)}`)
})

it("the files in deploy/traefik equal the examples in the page about reverse proxies, use the default port of the pod, and forward answers without delay", () => {
  const page = text("docs/operate/reverse-proxy.md")
  for (const name of ["traefik", "pod"]) {
    assert.include(page, `\`\`\`yaml\n${text(`deploy/traefik/${name}.yaml`)}\`\`\``)
  }
  const { entryPoints, certificatesResolvers, providers } = parse(text("deploy/traefik/traefik.yaml"))
  const { routers, services } = parse(text("deploy/traefik/pod.yaml")).http
  assert.include(providers.file.filename, "/pod.yaml")
  assert.containsAllKeys(entryPoints, routers.pod.entryPoints)
  assert.property(certificatesResolvers, routers.pod.tls.certResolver)
  const { responseForwarding, servers } = services[routers.pod.service].loadBalancer
  assert.strictEqual(servers[0].url, `http://127.0.0.1:${Option.getOrThrow(settingsTable.port.defaultText)}`)
  assert.match(responseForwarding.flushInterval, /^-/)
})

it("deploy/compose.yaml is valid YAML and declares every secret that one of its services uses", () => {
  const { secrets, services } = parse(text("deploy/compose.yaml"))
  for (const service of Object.values<{ readonly secrets?: ReadonlyArray<string> }>(services)) {
    for (const name of service.secrets ?? []) assert.property(secrets, name)
  }
})

it("the pod of deploy/compose.yaml can write only to its volume and to /tmp, and gets more time to stop than it takes", () => {
  const { pod } = parse(text("deploy/compose.yaml")).services
  assert.deepInclude(pod, { read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"] })
  assert.include(pod.security_opt, "no-new-privileges:true")
  assert.isAbove(Number.parseInt(pod.stop_grace_period), 10)
})

it("the image installs the packages of the lockfile without those for development, and its command `pod` is the program of the package", () => {
  const steps = text("deploy/Dockerfile")
  assert.include(steps, "cp package-lock.json /pod")
  assert.include(steps, "npm ci --omit=dev --omit=optional --ignore-scripts")
  const { bin, files: packed } = JSON.parse(text("package.json"))
  assert.include(steps, `/opt/pod/${bin.pod} /usr/local/bin/pod`)
  assert.include(packed, bin.pod.split("/")[0])
})

it("the unit of systemd reads the settings of the machine from a file outside of the unit, so an upgrade of the unit keeps them", () => {
  const unit = text("deploy/pod.service")
  assert.include(unit, "\nEnvironmentFile=/etc/pod/pod.env\n")
  assert.notInclude(unit, "example.com")
  assert.include(text("docs/operate/deploy.md"), "/etc/pod/pod.env")
})
