/** Every MCP tool: one line a feature. */
import { EntityTools } from "./features/entities/EntityTools.ts"

export const Tools = [...EntityTools]
