/**
 * The workflows of examples/n8n: their shape, the answers of a pod to their requests, and the code of the Code node.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { compileFunction } from "node:vm"
import { afterAll, beforeAll } from "vitest"
import { newSecret, standardSignature } from "../../../src/features/webhooks/Signature.ts"
import { projectRoot } from "../../support/migrations.ts"
import { aPod, type TestPod } from "../../support/pod.ts"

interface WorkflowNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly typeVersion: number
  readonly position: ReadonlyArray<number>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>
}
interface Workflow {
  readonly name: string
  readonly nodes: ReadonlyArray<WorkflowNode>
  readonly connections: Readonly<
    Record<
      string,
      {
        readonly main: ReadonlyArray<
          ReadonlyArray<{ readonly node: string; readonly type: string; readonly index: number }>
        >
      }
    >
  >
  readonly settings: object
}

const folder = `${projectRoot}examples/n8n`
const workflowIn = (name: string) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Workflow
const workflows = new Map(readdirSync(folder).map((name) => [name, workflowIn(name)]))

/** The types of nodes that n8n has in every installation. */
const coreTypes = ["code", "formTrigger", "httpRequest", "if", "webhook"].map((type) => `n8n-nodes-base.${type}`)

/** Returns the value of a parameter. A text that begins with `=` is a template with expressions of JavaScript. */
const valueOf = (parameter: unknown, scope: Readonly<Record<string, unknown>>): string => {
  const text = String(parameter)
  if (!text.startsWith("=")) return text
  return text
    .slice(1)
    .replaceAll(/\{\{(.*?)\}\}/g, (_, code: string) =>
      String(compileFunction(`return (${code})`, Object.keys(scope))(...Object.values(scope)))
    )
}

describe("the workflows to import into n8n", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())

  it("each n8n workflow in the examples has the format that n8n can import, with unique node names, known node types, and connections between existing nodes", () => {
    assert.isAtLeast(workflows.size, 2)
    for (const [file, { connections, name, nodes, settings }] of workflows) {
      assert.isNotEmpty(name, file)
      assert.isObject(settings, file)
      const names = nodes.map((node) => node.name)
      assert.lengthOf(new Set(names), names.length, file)
      assert.lengthOf(new Set(nodes.map(({ id }) => id)), names.length, file)
      for (const { parameters, position, type, typeVersion } of nodes) {
        assert.include(coreTypes, type, file)
        assert.isNumber(typeVersion)
        assert.lengthOf(position, 2)
        assert.isObject(parameters)
      }
      for (const [from, { main }] of Object.entries(connections)) {
        assert.include(names, from, file)
        for (const to of main.flat()) assert.include(names, to.node, file)
      }
    }
  })

  it("no n8n workflow in the examples contains a secret, and the person chooses the credentials after the import", () => {
    for (const [file, { nodes }] of workflows) {
      assert.notMatch(JSON.stringify(nodes), /svc_|whsec_[A-Za-z0-9+/]{8}|Bearer /, file)
      for (const { credentials = {} } of nodes)
        for (const { id } of Object.values(credentials)) assert.strictEqual(id, "")
    }
  })

  it("if the n8n example with a form sends its request twice, the pod stores one note, and the example finds this note", async () => {
    const { nodes } = workflowIn("proposeFromForm.json")
    const flow = await pod.aKey(pod.owner, {
      scope: ["write:entities", "read:entities"],
      grant: { permissions: ["*"] }
    })
    const form = { Title: "Oil the hinge", Text: 'It says "squeak".' }
    const scope = { $json: form, $execution: { id: "7" }, $itemIndex: 0, $: () => ({ item: { json: form } }) }
    const send = async (name: string) => {
      const node = nodes.find((one) => one.name === name)
      const { headerParameters, jsonBody, method, url } = (node?.parameters ?? {}) as {
        readonly method: string
        readonly url: string
        readonly jsonBody: string
        readonly headerParameters?: {
          readonly parameters: ReadonlyArray<{ readonly name: string; readonly value: string }>
        }
      }
      const headers = (headerParameters?.parameters ?? []).map((one) => [one.name, valueOf(one.value, scope)] as const)
      const path = valueOf(url, scope).replace("http://localhost:8787", "")
      return flow.send(method, path, JSON.parse(valueOf(jsonBody, scope)), Object.fromEntries(headers))
    }
    const [first, second] = [await send("Write the note"), await send("Write the note")]
    assert.deepStrictEqual([first.status, second.status], [200, 200], JSON.stringify(first.body))
    assert.strictEqual(second.body.entityId, first.body.entityId)
    const found = await send("Find it again")
    assert.strictEqual(found.body.results[0].entityId, first.body.entityId)
  })

  it("the n8n example for events reads the record of each event at a path that exists in the pod", async () => {
    const read = workflowIn("verifiedEvents.json").nodes.find(({ name }) => name === "Read the record")
    const { body } = await pod.owner.send("POST", "/api/hub/entities", { title: "Grease the lock" })
    const url = valueOf(read?.parameters["url"], { $json: { data: { subjectId: body.id } } })
    const answer = await pod.owner.send("GET", url.replace("http://localhost:8787", ""))
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    assert.include(JSON.stringify(answer.body), "Grease the lock")
  })
})

describe("the Code node of the n8n example", () => {
  const code = String(
    workflowIn("verifiedEvents.json").nodes.find(({ name }) => name === "Verify")?.parameters["jsCode"]
  )
  const secret = newSecret(Buffer.alloc(24, 7))
  const body = JSON.stringify({ type: "entity.created", id: "e1" })
  const nowSeconds = Math.floor(Date.now() / 1000)

  /** Runs the code as n8n does: with the received call, and with the secret in its environment. */
  const run = ({ seconds = nowSeconds, signedBody = body, signedWith = secret } = {}): unknown => {
    const signature = `v1,AAAA ${standardSignature(signedWith, "call-1", seconds, signedBody)}`
    const headers = { "webhook-id": "call-1", "webhook-timestamp": String(seconds), "webhook-signature": signature }
    const $input = { first: () => ({ binary: { data: { data: Buffer.from(body).toString("base64") } } }) }
    const run = compileFunction(code, ["require", "$json", "$input", "$env"])
    return run(createRequire(import.meta.url), { headers }, $input, { POD_WEBHOOK_SECRET: secret })
  }

  it("the Code node in the n8n example refuses a webhook call with another signature, a changed body or an old time", () => {
    for (const call of [
      { signedWith: newSecret(Buffer.alloc(24, 8)) },
      { signedBody: "{}" },
      { seconds: nowSeconds - 600 }
    ]) {
      assert.throws(() => run(call), "not from the pod")
    }
  })

  it("the Code node in the n8n example returns the event of a webhook call that the pod signed", () => {
    assert.deepStrictEqual(run(), [{ json: JSON.parse(body) }])
  })
})
