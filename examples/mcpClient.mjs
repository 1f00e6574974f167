/** Lists the tools that the key may call, and calls one of the tools, with the official MCP SDK. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const url = new URL(`${process.env.POD_URL ?? "http://localhost:8787"}/mcp`)
const client = new Client({ name: "example", version: "1.0.0" })
await client.connect(
  new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${process.env.POD_API_KEY}` } }
  })
)
const { tools } = await client.listTools()
console.log(`tools ${tools.map(({ name }) => name).join(" ")}`)
const { content, isError } = await client.callTool({
  name: "svc_get_entities",
  arguments: { profileSlug: "note", limit: 5 }
})
console.log(isError ? `refused: ${content[0].text}` : `answer ${content[0].text}`)
await client.close()
