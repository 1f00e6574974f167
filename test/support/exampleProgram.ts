/** Runs the unchanged programs of examples/ against a pod. */
import { type ChildProcess, spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { projectRoot } from "./migrations.ts"
import { rolldown } from "rolldown"
import type { TestPod } from "./pod.ts"

/** Makes JavaScript of an example in TypeScript, because Node 20 cannot run it as it is. Returns the path of the file. */
export const builtExample = async (name: string): Promise<string> => {
  const file = `node_modules/.${process.pid}-${name}.mjs`
  const bundle = await rolldown({ input: `${projectRoot}examples/${name}`, platform: "node" })
  await bundle.write({ file: `${projectRoot}${file}` })
  await bundle.close()
  return `../${file}`
}

const programs: Readonly<Record<string, string>> = { mjs: process.execPath, py: "python3", sh: "sh" }

type Environment = Readonly<Record<string, string>>

/** Returns functions that run example programs against this pod. */
export const examplesOf = (pod: TestPod) => {
  const running = new Set<ChildProcess>()
  const launch = (name: string, environment: Environment, args: ReadonlyArray<string> = []) => {
    const program = programs[name.split(".").at(-1) ?? ""] ?? ""
    const child = spawn(program, [`${projectRoot}examples/${name}`, ...args], {
      env: { PATH: process.env["PATH"] ?? "", POD_URL: pod.baseUrl, ...environment },
      stdio: ["ignore", "pipe", "inherit"]
    })
    running.add(child)
    child.once("close", () => running.delete(child))
    return child
  }
  return {
    launch,
    /** Returns the output of an example program that ends by itself. */
    outputOf: (name: string, environment: Environment, args: ReadonlyArray<string> = []) =>
      text(launch(name, environment, args).stdout),
    /** Returns the first line of a running program that matches `fits`. Fails if the program ends earlier. */
    lineOf: (child: ChildProcess, fits: RegExp) =>
      new Promise<string>((resolve, reject) => {
        let output = ""
        child.stdout!.on("data", (part) => {
          output += part
          const line = output.split("\n").find((each) => fits.test(each))
          if (line !== undefined) resolve(line)
        })
        child.once("close", () => reject(new Error(`it ended: ${output}`)))
      }),
    aSecret: async (scope: ReadonlyArray<string>, permissions: ReadonlyArray<string> = ["*"]) =>
      (await pod.aKey(pod.owner, { scope, grant: { permissions } })).secret,
    /** Makes a key for an agent of the owner. The agent may propose notes. */
    anAgentKey: async () => {
      const { body } = await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
      const grant = { permissions: ["entity.note", "proposal"] }
      const scope = ["hub-protocol.read", "hub-protocol.write"]
      return (await pod.aKey(pod.owner, { agentId: body.result.data.id, scope, grant })).secret
    },
    noteTitles: async () => {
      const { body } = await pod.owner.send("GET", "/api/hub/entities?profileSlug=note&limit=100")
      return (body as ReadonlyArray<{ readonly title: string }>).map(({ title }) => title)
    },
    stop: () => {
      for (const child of running) child.kill("SIGKILL")
    }
  }
}
export type Examples = ReturnType<typeof examplesOf>
