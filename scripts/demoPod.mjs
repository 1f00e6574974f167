/**
 * Starts the built pod for the demo in a separate directory. Calls the pod as clients do: with `fetch` and the MCP SDK.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { root } from "./install.mjs"

export const owner = { email: "owner@example.com", password: "a password for the demo" }

/**
 * Turns off the optimization of the embedded database. In a pod that runs only for seconds, the optimization would take
 * most of the processor time.
 */
const briefly = ["--liftoff-only"]

/**
 * Starts a pod. Returns its URL, its process id, and a function that stops it. `settings` contains more settings by
 * name.
 */
export const startPod = (dataDir, settings = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...briefly, join(root, "dist/main.js")], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        POD_DATA_DIR: dataDir,
        POD_PORT: "0",
        POD_OWNER_EMAIL: owner.email,
        POD_OWNER_PASSWORD: owner.password,
        POD_RATE_LIMIT: "1000000",
        POD_LOG_FORMAT: "json",
        ...settings
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const stop = () =>
      new Promise((stopped) => {
        child.once("exit", stopped)
        child.kill("SIGTERM")
      })
    child.once("exit", (code) => reject(new Error(`the pod ended with ${code}`)))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line)
      if (entry.msg === "ready") resolve({ base: `http://127.0.0.1:${entry.port}`, stop, pid: child.pid })
    })
  })

/** Returns a function that sends a request. That function returns the status and the body of the answer. */
export const callerOf = (base) => async (method, path, headers, body) => {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: await response.json() }
}

/** Returns a function that creates keys of the signed-in person. */
export const minterOf = (call, me) => async (order) => {
  const { id, key } = (await call("POST", "/trpc/apiKeys.create", me, order)).body.result.data
  return { id, key, headers: { authorization: `Bearer ${key}` } }
}

/**
 * Makes an MCP client that sends these headers, which contain the credential. The import is not at the top of the file,
 * because the first start of the demo installs the packages after it has loaded this file.
 */
export const mcpClient = async (base, headers) => {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  const client = new Client({ name: "demo", version: "1" })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }))
  return client
}
