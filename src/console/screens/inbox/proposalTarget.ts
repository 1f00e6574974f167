/** Finds where Explore shows the record that a proposal changes. */
import { isOpenable } from "../explore/recordKinds.ts"
import { contentOf } from "./editing.ts"
import type { ProposalWhole } from "./inboxText.ts"

interface TargetAddress {
  readonly type: string
  readonly id: string
  readonly workspaceId?: string | undefined
}

const knowledgeEntry = "knowledge_entry"

/** True if the proposal changes a knowledge entry. Explore opens such an entry by its key and not by its id. */
export const isAboutEntry = ({ targetType }: Pick<ProposalWhole, "targetType">): boolean =>
  targetType === knowledgeEntry

/** The key of the knowledge entry. Only the content of the proposal or a removed field can contain the key. */
const keyOf = (proposal: ProposalWhole): unknown =>
  contentOf(proposal)["key"] ?? proposal.differences.find(({ path }) => path.length === 1 && path[0] === "key")?.before

/** The address of the record in Explore. Undefined if Explore cannot open it. */
export const targetAddress = (proposal: ProposalWhole): TargetAddress | undefined => {
  const { targetId, targetType, workspaceId } = proposal
  if (!isAboutEntry(proposal)) return isOpenable(targetType) ? { type: targetType, id: targetId } : undefined
  const key = keyOf(proposal)
  return typeof key === "string" ? { type: "knowledge", id: key, workspaceId: workspaceId ?? undefined } : undefined
}
