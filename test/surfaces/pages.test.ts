/** The web pages and files that the pod serves: their paths, security policy and caching. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, beforeAll } from "vitest"
import { codeMeanings, failureMeanings } from "../../src/doors/FailureReference.ts"
import { aPod, type TestPod } from "../support/pod.ts"

const pages = new URL("../../pages/", import.meta.url)
const filesOf = (end: string) => readdirSync(pages).filter((name) => name.endsWith(end))
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe("the web pages of the pod", () => {
  let pod: TestPod
  beforeAll(async () => {
    pod = await aPod({ kind: "memory" })
  })
  afterAll(() => pod.stop())
  const get = (path: string, headers: Record<string, string> = {}) => pod.stranger.send("GET", path, undefined, headers)

  /** Sends a request and returns the bytes as the pod sent them. `fetch` would decompress the bytes. */
  const packed = (accepted: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      request(`${pod.baseUrl}/openapi.json`, { headers: { "accept-encoding": accepted, ...headers } }, (response) => {
        const parts: Array<Buffer> = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) })
        )
      })
        .on("error", reject)
        .end()
    })

  it("below /assets the pod serves only asset files, and no HTML pages", async () => {
    for (const path of [
      "/assets",
      "/assets/",
      "/assets/docs.html",
      "/assets/nothing.js",
      "/assets/%2e%2e%2fpackage.json",
      "/assets/..%2fpackage.json",
      "/assets/constructor",
      "/docs/other",
      "//docs",
      "/.well-known/oauth-authorization-server"
    ]) {
      const { status, body } = await get(path)
      assert.strictEqual(status, 404, path)
      assert.isString(body.error, path)
    }
  })

  it("the pod answers a POST to the path of a web page with 405, and names GET as the allowed method", async () => {
    for (const path of [
      "/",
      "/docs",
      "/docs/errors",
      "/setup",
      "/join",
      "/account",
      "/openapi.json",
      "/assets/docs.js"
    ]) {
      const { status, headers } = await pod.stranger.send("POST", path, {})
      assert.strictEqual(status, 405, path)
      assert.strictEqual(headers.get("allow"), "GET")
    }
  })

  it("the old page paths redirect to the console with a relative address, which also works behind a proxy with any path prefix", async () => {
    for (const [path, to] of [
      ["/", "./admin/"],
      ["/setup", "./admin/setup"],
      ["/join", "./admin/join"],
      ["/account", "./admin/settings?show=Account"]
    ] as const) {
      const response = await fetch(pod.baseUrl + path, { redirect: "manual" })
      assert.deepStrictEqual([response.status, response.headers.get("location")], [308, to], path)
    }
  })

  it("if the operator has changed the path of the console, the old page paths redirect to the changed path", async () => {
    const other = await aPod({ kind: "memory" }, { adminPath: "/ops/pod" })
    try {
      const response = await fetch(`${other.baseUrl}/join`, { redirect: "manual" })
      assert.strictEqual(response.headers.get("location"), "./ops/pod/join")
      assert.match((await other.owner.send("POST", "/api/hub/invitations", {})).body.joinPath, /^\/ops\/pod\/join#/)
    } finally {
      await other.stop()
    }
  })

  it("the pod serves the operation /setup/claim only for POST, and answers an unknown path below /setup with 404", async () => {
    assert.strictEqual((await pod.stranger.send("POST", "/setup/claim", {})).status, 400)
    assert.strictEqual((await get("/setup/claim")).status, 405)
    assert.strictEqual((await get("/setup/other")).status, 404)
  })

  it("the API reference, the page of errors and every asset have the strict content security policy", async () => {
    const assets = readdirSync(pages).filter((name) => !name.endsWith(".html"))
    for (const path of ["/docs", "/docs/errors", ...assets.map((name) => `/assets/${name}`)]) {
      const { status, headers } = await get(path)
      assert.strictEqual(status, 200, path)
      assert.strictEqual(headers.get("content-security-policy"), policy, path)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path)
    }
  })

  it("no web page has an inline script or style, or loads anything from another origin", () => {
    for (const name of filesOf(".html")) {
      const text = readFileSync(new URL(name, pages), "utf8")
      assert.notMatch(text, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/i, name)
    }
    for (const name of [...filesOf(".html"), ...filesOf(".css"), ...filesOf(".js")]) {
      const text = readFileSync(new URL(name, pages), "utf8")
      assert.notMatch(text, /https?:\/\/|["'(]\/\/|@import|innerHTML|localStorage|sessionStorage/, name)
    }
  })

  it("the docs link in every refusal leads to an existing place on the page of errors", async () => {
    const page = (await get("/docs/errors")).body
    const names = [...Object.keys(failureMeanings), ...Object.keys(codeMeanings)]
    for (const name of names) assert.include(page, `id="${name}"`)
    for (const path of ["/api/hub/entities", "/api/hub/no-such-route", "/api/hub/trpc/entities.list"]) {
      const { body } = await pod.stranger.send("GET", path)
      const docs: string = body.docs ?? body.error.data.docs
      const [at, name = ""] = docs.split("#")
      assert.strictEqual(at, "/docs/errors", path)
      assert.include(names, name, path)
    }
  })

  it("the pod answers 304 if the client already has the current version of a web page", async () => {
    for (const path of ["/docs", "/openapi.json", "/assets/page.css"]) {
      const tag = (await get(path)).headers.get("etag") ?? ""
      assert.match(tag, /^"[\w-]{22}(-gzip|-br)?"$/)
      for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const { status, body, headers } = await get(path, { "if-none-match": ifNoneMatch })
        assert.deepStrictEqual([status, body, headers.get("etag")], [304, "", tag], `${path} ${ifNoneMatch}`)
      }
      assert.strictEqual((await get(path, { "if-none-match": '"other"' })).status, 200)
    }
  })

  it("the API description is compressed in the encoding that the client accepts, and each encoding has its own ETag", async () => {
    const plain = await packed("identity")
    assert.isUndefined(plain.headers["content-encoding"])
    for (const [accepted, coding, unpack] of [
      ["gzip", "gzip", gunzipSync],
      ["gzip, br", "br", brotliDecompressSync],
      ["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
      ["*", "br", brotliDecompressSync]
    ] as const) {
      const { bytes, headers } = await packed(accepted)
      assert.strictEqual(headers["content-encoding"], coding, accepted)
      assert.strictEqual(headers["content-length"], String(bytes.length))
      assert.strictEqual(headers.vary, "accept-encoding")
      assert.isBelow(bytes.length, plain.bytes.length / 5)
      assert.isTrue(unpack(bytes).equals(plain.bytes))
      assert.notStrictEqual(headers.etag, plain.headers.etag)
      const again = await packed(accepted, { "if-none-match": String(headers.etag) })
      assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
    }
    for (const accepted of ["br;q=0, gzip;q=0", "deflate", ""]) {
      assert.isUndefined((await packed(accepted)).headers["content-encoding"], accepted)
    }
  })

  it("a HEAD request for a web page is answered with only the headers", async () => {
    const { status, body, headers } = await pod.stranger.send("HEAD", "/docs")
    assert.deepStrictEqual([status, body], [200, ""])
    assert.isAbove(Number(headers.get("content-length")), 500)
  })

  it("the API description is the same document under both of its paths", async () => {
    const [root, hub] = [await get("/openapi.json"), await get("/api/hub/openapi.json")]
    assert.deepStrictEqual(root.body, hub.body)
    assert.strictEqual(root.body.openapi, "3.1.0")
    assert.strictEqual(root.headers.get("content-type"), "application/json")
  })

  it("the path of the API reference below the API leads to the reference, without a credential", async () => {
    const answer = await pod.stranger.send("GET", "/api/hub/docs")
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [308, "../../docs"])
  })

  it("if a client asks for the part of the API description for an unknown tag, the pod refuses the request and suggests the nearest tag", async () => {
    const near = await get("/openapi.json?tag=entites")
    assert.deepStrictEqual([near.status, near.body.error], [400, 'tag: is unknown; did you mean "entities"?'])
    const far = await get("/openapi.json?tag=")
    assert.strictEqual(far.status, 400)
    assert.include(far.body.error, "tag: must be one of: system, people")
  })

  it("the part of the API description for a tag contains exactly the operations with this tag, and all components that these operations need", async () => {
    const { body: whole } = await get("/openapi.json")
    const operationsOf = ({
      paths
    }: {
      readonly paths: Record<string, Record<string, { tags: ReadonlyArray<string> }>>
    }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation }))
      )
    let count = 0
    for (const { name: tag } of whole.tags) {
      const { body: part } = await get(`/openapi.json?tag=${encodeURIComponent(tag)}`)
      assert.deepStrictEqual(
        operationsOf(part),
        operationsOf(whole).filter(({ operation }) => operation.tags.includes(tag)),
        tag
      )
      count += operationsOf(part).length
      const partText = JSON.stringify(part)
      const referenced = new Set([...partText.matchAll(/"#\/components\/([^"]+)"/g)].map(([, path]) => path))
      for (const [kind, named] of Object.entries<Record<string, object>>(part.components)) {
        if (kind === "securitySchemes") continue
        for (const [name, component] of Object.entries(named)) {
          assert.isTrue(referenced.delete(`${kind}/${name}`), `${tag}: ${kind}/${name} is not needed`)
          assert.deepStrictEqual(component, whole.components[kind][name])
        }
      }
      assert.deepStrictEqual([...referenced], [], tag)
      assert.isBelow(Buffer.byteLength(partText), 100_000, tag)
    }
    assert.strictEqual(count, operationsOf(whole).length)
  })

  it("the pod sends an icon for the address `/favicon.ico`", async () => {
    const { status, headers } = await get("/favicon.ico")
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
  })
})
