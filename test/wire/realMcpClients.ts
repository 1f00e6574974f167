/** The MCP clients that people use, by name. Each connects to a running pod with the credential of a caller. */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Caller, TestPod } from "../support/pod.ts"

const identity = { name: "test", version: "1" }
/**
 * Returns the clients by name. `pod` is called only when a client connects, because a test lists the clients before it
 * starts its pod. `query`: the query of the address, such as `?schemas=strict`.
 */
export const mcpClients = (pod: () => TestPod, query = "") => ({
  "SDK v1": async ({ headers }: Caller) => {
    const client = new ClientV1(identity)
    await client.connect(new TransportV1(new URL(`${pod().baseUrl}/mcp${query}`), { requestInit: { headers } }))
    return client
  },
  "SDK v2": async ({ headers }: Caller) => {
    const client = new ClientV2(identity)
    await client.connect(new TransportV2(new URL(`${pod().baseUrl}/mcp${query}`), { requestInit: { headers } }))
    return client
  },
  "SDK v2 with the newest protocol": async ({ headers }: Caller) => {
    const client = new ClientV2(identity, { versionNegotiation: { mode: "auto" } })
    await client.connect(new TransportV2(new URL(`${pod().baseUrl}/mcp${query}`), { requestInit: { headers } }))
    return client
  }
})
