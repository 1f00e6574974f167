/**
 * Tests what `pod doctor --url` reports about a proxy in front of the pod: whether the proxy forwards client addresses,
 * which address the pod uses for itself, and whether pages reach the client.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"
import { aPathProxy, type PathProxy } from "../support/pathProxy.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const home = aFolder()
const publicUrl = "http://pod.test:8080/team"
const pod = aCommandInProcess(home.path)
const pods: Array<TestPod> = []
const proxies: Array<PathProxy> = []
let trusting: TestPod
let wary: TestPod

beforeAll(async () => {
  trusting = await aPod({ kind: "memory" }, { trustProxy: ["127.0.0.1"], publicUrl: Option.some(publicUrl) })
  wary = await aPod({ kind: "memory" })
  pods.push(trusting, wary)
})
afterAll(async () => {
  for (const proxy of proxies) proxy.stop()
  for (const each of pods) await each.stop()
  home.remove()
})

type Forward = (headers: IncomingHttpHeaders) => IncomingHttpHeaders

/**
 * Starts a proxy that serves the pod below a path. It forwards only the paths that `passes` accepts. Returns the
 * address of the proxy.
 */
const aProxy = async (target: TestPod, below: string, forward: Forward, passes?: (path: string) => boolean) => {
  const proxy = await aPathProxy(target, below, { forward, ...(passes === undefined ? {} : { passes }) })
  proxies.push(proxy)
  return proxy.url
}

const appended: Forward = (headers) => ({
  ...headers,
  "x-forwarded-for": [headers["x-forwarded-for"], "198.51.100.4"].filter((part) => part !== undefined).join(", ")
})
const unchanged: Forward = (headers) => ({
  ...headers,
  "x-forwarded-for": headers["x-forwarded-for"] ?? "198.51.100.4"
})

const checked = async (url: string) => {
  const { code, stdout } = await pod(["doctor", "--url", url, "--json"])
  const checks = (JSON.parse(stdout) as { data: ReadonlyArray<{ name: string; state: string; detail: string }> }).data
  return { code, of: (name: string) => checks.find((check) => check.name === name) }
}

describe("the command `pod doctor --url` with a proxy in front of the pod", () => {
  it("`pod doctor` reports a proxy that the pod does not trust, and mentions the setting for trusted proxies", async () => {
    const { code, of } = await checked(await aProxy(wary, "", appended))
    assert.strictEqual(code, 1)
    assert.strictEqual(of("client address")?.state, "failed")
    assert.include(of("client address")?.detail, "POD_TRUST_PROXY")
  })

  it("`pod doctor` reports a proxy that forwards a client address that the client has invented", async () => {
    const { code, of } = await checked(await aProxy(trusting, "", unchanged))
    assert.strictEqual(code, 1)
    assert.strictEqual(of("client address")?.state, "failed")
    assert.include(of("client address")?.detail, "append its own value or to replace")
  })

  it("`pod doctor` reports a proxy that forwards only some paths of the pod", async () => {
    const { code, of } = await checked(
      await aProxy(
        wary,
        "",
        (headers) => headers,
        (path) => !path.startsWith("/assets")
      )
    )
    assert.strictEqual(code, 1)
    assert.strictEqual(of("pages")?.state, "failed")
  })

  it("`pod doctor` finds no fault if a proxy serves the pod below a path, appends the client address and forwards all pages", async () => {
    const { code, of } = await checked(await aProxy(trusting, "/team", appended))
    assert.strictEqual(code, 0)
    assert.deepInclude(of("client address"), { state: "ok", detail: "comes through: the pod sees 198.51.100.4" })
    assert.deepInclude(of("pages"), { state: "ok" })
    assert.include(of("public address")?.detail, publicUrl)
  })

  it("`pod doctor` finds no fault without a proxy, and an answer has headers with the client address only if the request asks for them", async () => {
    const { code, of } = await checked(wary.baseUrl)
    assert.strictEqual(code, 0)
    assert.deepInclude(of("client address"), { state: "ok" })
    assert.deepInclude(of("public address"), { state: "ok" })
    const { headers } = await fetch(`${trusting.baseUrl}/livez`, { headers: { "x-forwarded-for": "198.51.100.4" } })
    for (const name of ["x-pod-forwarding", "x-pod-client", "x-pod-public-url"]) assert.isNull(headers.get(name))
  })
})
