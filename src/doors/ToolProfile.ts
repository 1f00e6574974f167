/** The tool profiles of keys: each is a short list of MCP tools, for an agent that needs no more. */
import { Schema } from "effect"

/** `entry`: what an agent needs for one conversation. `builder`: to read everything and change records. */
export const ToolProfile = Schema.Literal("entry", "builder").annotations({ identifier: "ToolProfile" })
export type ToolProfile = typeof ToolProfile.Type
