/**
 * A pod in the process of the test, and the command line, which reaches the pod by the socket in its data directory. The
 * commands run in the process of the test too, except those that a test starts as a program.
 */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { aCommandLine, aStartedCommand, type Run } from "./builtCli.ts"
import { aCommandInProcess } from "./cliInProcess.ts"
import { aFolder } from "./builtPod.ts"
import { aPod, type Caller, type TestPod } from "./pod.ts"
import { quickWebhooks } from "./receiver.ts"

export type Fields = Readonly<Record<string, any>>

export const dataOf = ({ code, stderr, stdout }: Run): any => {
  assert.strictEqual(code, 0, stderr)
  return (JSON.parse(stdout) as { data: unknown }).data
}
export const errorOf = ({ stderr }: Run): Fields => (JSON.parse(stderr) as { error: Fields }).error
export const note = (title: string) => ({ title, profileSlug: "note" })

/** Starts the pod before the tests of the file, and stops it after them. */
export const aCommandScene = () => {
  const home = aFolder()
  let server: TestPod
  let run: ReturnType<typeof aCommandInProcess>
  let start: ReturnType<typeof aStartedCommand>
  let runProgram: ReturnType<typeof aCommandLine>
  let agent: Caller

  beforeAll(async () => {
    server = await aPod({ kind: "memory" }, {}, { hasSocket: true, webhooks: quickWebhooks() })
    const environment = { POD_DATA_DIR: server.dataDir! }
    run = aCommandInProcess(home.path, { environment })
    start = aStartedCommand(home.path, { environment })
    runProgram = aCommandLine(home.path, { environment })
    const { body } = await server.owner.mutate("agents.create", { name: "Scribe", capabilities: ["entity.note"] })
    agent = await server.aKey(server.owner, {
      agentId: body.result.data.id,
      grant: { permissions: ["entity.note", "proposal.read"] }
    })
  })
  afterAll(async () => {
    await server?.stop()
    home.remove()
  })

  const pod = (...args: Parameters<ReturnType<typeof aCommandInProcess>>) => run(...args)
  return {
    home,
    pod,
    /** Starts the built program in a process of its own, for commands that run until a signal ends them. */
    started: (...args: Parameters<ReturnType<typeof aStartedCommand>>) => start(...args),
    /** Runs the built program in a process of its own, for commands that read an input. */
    program: (...args: Parameters<ReturnType<typeof aCommandLine>>) => runProgram(...args),
    /** Runs a command with `--json`, and returns its data. */
    json: async (...args: ReadonlyArray<string>) => dataOf(await pod([...args, "--json"])),
    /** Writes a note as an agent. Returns the id of the proposal that the write becomes. */
    propose: async (title: string): Promise<string> =>
      (await agent.send("POST", "/api/hub/entities", note(title))).body.proposalId,
    server: () => server,
    agent: () => agent
  }
}
