/**
 * Makes the texts of the commands and files that each client needs to reach a pod over MCP or REST. The functions are
 * pure and import nothing, so the console in the browser and the command line write the same texts.
 */

export interface PodConnection {
  /** Address of the pod, without a slash at its end. */
  readonly url: string
  /**
   * The secret of the key. If the secret is undefined, the texts contain the name of the environment variable instead.
   */
  readonly key?: string | undefined
}

/** The name of the environment variable from which clients read the key, if they can read variables. */
export const keyVariable = "POD_API_KEY"

const serverName = "pod"

export interface ClientText {
  /** The name of the text, in a form that can follow the word "Copy", for example "the command". */
  readonly name: string
  /** The file to which the text belongs. Undefined for a command. */
  readonly file?: string
  readonly text: string
  /** True if the text contains the key. Then the text must not be shared or committed. */
  readonly isSecret: boolean
}

export interface ClientConfig {
  readonly id: string
  readonly name: string
  /** Tells the person what to do, in one or two sentences. */
  readonly about: string
  readonly texts: ReadonlyArray<ClientText>
  /** A link that opens the client and adds the pod to the client. The link never contains the key. */
  readonly link?: { readonly name: string; readonly href: string }
  /** True if the client accepts a bundle (`ClaudeBundle.ts`). A bundle never contains the key. */
  readonly hasBundle?: true
}

const json = (value: unknown) => JSON.stringify(value, undefined, 2)

const mcpOf = ({ url }: PodConnection) => `${url}/mcp`

const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Writes a word for a shell. An address can have characters, such as `$`, that a shell would evaluate. */
const shellWord = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : shellQuoted(text))

/** Writes the Authorization header for a shell, with the key itself or with the variable. */
const shellHeader = ({ key }: PodConnection) =>
  key === undefined ? `"Authorization: Bearer $${keyVariable}"` : shellQuoted(`Authorization: Bearer ${key}`)

const exportLines = ({ key }: PodConnection): ReadonlyArray<ClientText> =>
  key === undefined ? [] : [{ name: "the variable", text: `export ${keyVariable}=${shellQuoted(key)}`, isSecret: true }]

/** Encodes ASCII text in Base64. `btoa` works in a browser and in Node. */
const base64 = (text: string) => btoa(text)

const claudeCode = (pod: PodConnection): ClientConfig => ({
  id: "claude-code",
  name: "Claude Code",
  about: "Run the command once. For a team, commit the file instead: it names the variable, never the key.",
  texts: [
    {
      name: "the command",
      text: `claude mcp add --transport http ${serverName} ${shellWord(mcpOf(pod))} --header ${shellHeader(pod)}`,
      isSecret: pod.key !== undefined
    },
    {
      name: "the file",
      file: ".mcp.json",
      text: json({
        mcpServers: {
          [serverName]: {
            type: "http",
            url: mcpOf(pod),
            headers: { Authorization: `Bearer \${${keyVariable}}` }
          }
        }
      }),
      isSecret: false
    },
    ...exportLines(pod)
  ]
})

const cursor = (pod: PodConnection): ClientConfig => {
  const server = { url: mcpOf(pod), headers: { Authorization: `Bearer \${env:${keyVariable}}` } }
  return {
    id: "cursor",
    name: "Cursor",
    about: `The link adds the pod to Cursor, or write the file by hand. Cursor reads the key from ${keyVariable}, so set the variable before you start it.`,
    texts: [
      {
        name: "the file",
        file: "~/.cursor/mcp.json",
        text: json({ mcpServers: { [serverName]: server } }),
        isSecret: false
      },
      ...exportLines(pod)
    ],
    link: {
      name: "Add to Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(base64(JSON.stringify(server)))}`
    }
  }
}

const vsCode = (pod: PodConnection): ClientConfig => {
  const input = { type: "promptString", id: "pod_key", description: "Pod API key", password: true }
  const server = { type: "http", url: mcpOf(pod), headers: { Authorization: "Bearer ${input:pod_key}" } }
  return {
    id: "vscode",
    name: "VS Code",
    about:
      "The link adds the pod to VS Code, or commit the file. VS Code asks for the key once and keeps it in its own store.",
    texts: [
      {
        name: "the file",
        file: ".vscode/mcp.json",
        text: json({ inputs: [input], servers: { [serverName]: server } }),
        isSecret: false
      },
      ...(pod.key === undefined ? [] : [{ name: "the key, when VS Code asks", text: pod.key, isSecret: true }])
    ],
    link: {
      name: "Add to VS Code",
      href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: serverName, inputs: [input], ...server }))}`
    }
  }
}

const codex = (pod: PodConnection): ClientConfig => ({
  id: "codex",
  name: "Codex",
  about: `Add the lines to the file. Codex reads the key from ${keyVariable}.`,
  texts: [
    {
      name: "the lines",
      file: "~/.codex/config.toml",
      text: `[mcp_servers.${serverName}]\nurl = ${JSON.stringify(mcpOf(pod))}\nbearer_token_env_var = "${keyVariable}"`,
      isSecret: false
    },
    ...exportLines(pod)
  ]
})

const n8n = (pod: PodConnection): ClientConfig => {
  const value = `Bearer ${pod.key ?? "<your key>"}`
  return {
    id: "n8n",
    name: "n8n",
    about:
      "For agents use the node MCP Client; for workflows the node HTTP Request with a credential of the type Header Auth. Test it with GET /api/hub/auth/status.",
    texts: [
      {
        name: "the fields of MCP Client",
        text: `Endpoint        ${mcpOf(pod)}\nTransport       HTTP Streamable\nAuthentication  Bearer\nToken           ${pod.key ?? "<your key>"}`,
        isSecret: pod.key !== undefined
      },
      {
        name: "the credential Header Auth",
        text: `Name   Authorization\nValue  ${value}`,
        isSecret: pod.key !== undefined
      },
      { name: "the address of the test", text: `${pod.url}/api/hub/auth/status`, isSecret: false }
    ]
  }
}

const claudeDesktop = (pod: PodConnection): ClientConfig => ({
  id: "claude-desktop",
  name: "Claude Desktop",
  about:
    "Claude Desktop cannot call an address with a key. So it starts a small program, the bridge, which sends the calls of Claude Desktop to the pod. Download the bundle, open it with Claude Desktop, and paste the key where Claude Desktop asks for a key. The key is not in the bundle. If the command “pod” is installed, you can use the file instead of the bundle.",
  hasBundle: true,
  texts: [
    ...(pod.key === undefined ? [] : [{ name: "the key, when Claude Desktop asks", text: pod.key, isSecret: true }]),
    {
      name: "the file",
      file: "claude_desktop_config.json",
      text: json({
        mcpServers: {
          [serverName]: {
            command: "pod",
            args: ["mcp", "--url", pod.url],
            env: { [keyVariable]: pod.key ?? "<your key>" }
          }
        }
      }),
      isSecret: pod.key !== undefined
    }
  ]
})

const curl = (pod: PodConnection): ClientConfig => ({
  id: "curl",
  name: "curl",
  about: "The first call shows who owns the key and what the key may do. Any program can call the pod in this way.",
  texts: [
    {
      name: "the first call",
      text: `curl ${shellWord(`${pod.url}/api/hub/auth/status`)} -H ${shellHeader(pod)}`,
      isSecret: pod.key !== undefined
    },
    {
      name: "the list of MCP tools",
      text: [
        `curl ${shellWord(mcpOf(pod))} -H ${shellHeader(pod)}`,
        `  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'`,
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`
      ].join(" \\\n"),
      isSecret: pod.key !== undefined
    }
  ]
})

/** Lists all clients, each with its texts for this pod. */
export const clientConfigs = (pod: PodConnection): ReadonlyArray<ClientConfig> =>
  [claudeCode, cursor, vsCode, codex, n8n, claudeDesktop, curl].map((config) => config(pod))
