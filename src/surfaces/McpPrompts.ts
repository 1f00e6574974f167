/** The prompts of the pod: their arguments, their instructions to the model, and the tool calls for their text. */
import type { McpPrompt } from "./McpContent.ts"
import type { Fields } from "./McpTool.ts"

interface Part {
  readonly title: string
  readonly tool: string
  readonly args: Fields
}

/** A prompt, with the tool calls that read the records for its text. */
export interface PromptOf extends McpPrompt {
  readonly instructions: string
  /**
   * Returns the parts of the prompt. The first part is required. If the caller is not allowed to read another part, the
   * prompt leaves this part out and says so.
   */
  readonly parts: (args: Readonly<Record<string, string>>) => readonly [Part, ...ReadonlyArray<Part>]
}

const workspaceArgument = {
  name: "workspaceId",
  description: "The id of a workspace. Default: everything that you may read.",
  required: false
}
const inWorkspace = ({ workspaceId }: Readonly<Record<string, string>>): Fields => (workspaceId ? { workspaceId } : {})

export const prompts: ReadonlyArray<PromptOf> = [
  {
    name: "brief_project",
    title: "Brief me on a project",
    description: "A briefing on a project: its state, what changed, and what waits for a person.",
    arguments: [{ name: "projectId", description: "The id of the project.", required: true }],
    instructions:
      "Brief me on this project in at most 200 words: its purpose, its state, the latest changes, open questions and what waits for a person. Name the records that you rely on.",
    parts: ({ projectId = "" }) => [
      { title: "The project with its digest", tool: "svc_get_project", args: { projectId } },
      { title: "Its latest entities", tool: "svc_get_entities", args: { projectId, limit: 20 } },
      { title: "Its documents", tool: "svc_list_documents", args: { projectId, limit: 20 } }
    ]
  },
  {
    name: "review_waiting",
    title: "Review what waits",
    description: "The proposals that wait for a decision, with advice for each.",
    arguments: [workspaceArgument],
    instructions:
      "Review the proposals that wait for me. Say for each in one or two sentences what it changes, whether it looks right, and what I should check. Begin with those that matter most. You cannot approve them: I decide in the pod.",
    parts: (args) => [
      { title: "Waiting proposals", tool: "svc_list_proposals", args: { ...inWorkspace(args), limit: 20 } }
    ]
  },
  {
    name: "weekly_digest",
    title: "Weekly digest",
    description: "What happened in the last week and what is next.",
    arguments: [workspaceArgument],
    instructions:
      "Write a digest of the last seven days in at most 250 words: what changed, what was decided, what waits, and what should come next. Leave out everything that is older.",
    parts: (args) => [
      { title: "Overview and news", tool: "svc_orient", args: { ...inWorkspace(args), detail: "full" } },
      {
        title: "Proposals and their outcomes",
        tool: "svc_list_proposals",
        args: { ...inWorkspace(args), status: "all", view: "basic", limit: 30 }
      },
      { title: "Latest entities", tool: "svc_get_entities", args: { ...inWorkspace(args), limit: 30 } }
    ]
  }
]
