/** Every MCP tool: one line a feature. */
import { EntityTools } from "./features/entities/EntityTools.ts"
import { ProposalTools } from "./features/proposals/ProposalTools.ts"
import { TrackTools } from "./features/tracks/TrackTools.ts"

export const Tools = [...EntityTools, ...ProposalTools, ...TrackTools]
