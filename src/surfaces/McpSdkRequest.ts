/** Makes the request that the MCP SDK gets in place of the request of the client. */
import type { IncomingMessage } from "node:http"

/**
 * Returns the request for the SDK. It has only the header `accept` and the headers of MCP, so the SDK never sees the
 * key. It has no body, because the SDK gets the parsed body.
 */
export const sdkRequest = ({ headers }: IncomingMessage) => ({
  method: "POST",
  url: "/mcp",
  headers: {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-") || name === "accept")),
    "content-type": "application/json"
  },
  async *[Symbol.asyncIterator]() {}
})
