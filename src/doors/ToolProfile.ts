/** The tool profiles of keys. A tool profile is a short list of MCP tools, for an agent that needs no other tools. */
import { Schema } from "effect"

/** `entry`: the tools for one conversation. `builder`: the tools to read everything and to change records. */
export const ToolProfile = Schema.Literal("entry", "builder").annotations({ identifier: "ToolProfile" })
export type ToolProfile = typeof ToolProfile.Type
