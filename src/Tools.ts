/** Every MCP tool, with one line for each feature. */
import { TemplateTools } from "./features/adoption/TemplateTools.ts"
import { FileTools } from "./features/attachments/FileTools.ts"
import { CaptureTools } from "./features/capture/CaptureTools.ts"
import { DiagnoseTools } from "./features/diagnosis/DiagnoseTools.ts"
import { DocumentTools } from "./features/documents/DocumentTools.ts"
import { EntityTools } from "./features/entities/EntityTools.ts"
import { FocusSessionTools } from "./features/focusSessions/FocusSessionTools.ts"
import { GraphTools } from "./features/graph/GraphTools.ts"
import { OrientationTools } from "./features/orientation/OrientationTools.ts"
import { MemoryTools } from "./features/memory/MemoryTools.ts"
import { ProfileTools } from "./features/profiles/ProfileTools.ts"
import { ProjectTools } from "./features/projects/ProjectTools.ts"
import { RelationTools } from "./features/relations/RelationTools.ts"
import { ProposalTools } from "./features/proposals/ProposalTools.ts"
import { ThreadTools } from "./features/conversations/ThreadTools.ts"
import { RetrievalTools } from "./features/retrieval/RetrievalTools.ts"
import { TrackTools } from "./features/tracks/TrackTools.ts"
import { ViewTools } from "./features/views/ViewTools.ts"
import { WaitTools } from "./features/waiting/WaitTools.ts"

export const Tools = [
  ...RetrievalTools,
  ...OrientationTools,
  ...EntityTools,
  ...DocumentTools,
  ...ViewTools,
  ...ProfileTools,
  ...ProjectTools,
  ...RelationTools,
  ...GraphTools,
  ...ProposalTools,
  ...TrackTools,
  ...ThreadTools,
  ...FocusSessionTools,
  ...WaitTools,
  ...CaptureTools,
  ...FileTools,
  ...DiagnoseTools,
  ...TemplateTools,
  ...MemoryTools
]
