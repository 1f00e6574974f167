/** The list of proposals: the filters that a request can have, and a page of the answer. */
import { Schema } from "effect"
import { commaList, described, FocusSessionId, IgnoredUserId, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { limitInput, pageInput, pageQuery } from "../../doors/PageFields.ts"
import { BasicProposal, Proposal, Status } from "./Proposal.ts"

/**
 * The statuses by which a caller can filter a list of proposals. `settled` selects proposals with any status except
 * `pending`.
 */
const StatusFilter = Schema.Union(Status, Schema.Literal("settled", "all"))
export type StatusFilter = typeof StatusFilter.Type

const filters = {
  userId: Schema.optional(IgnoredUserId),
  workspaceId: Schema.optional(WorkspaceId),
  sessionId: Schema.optional(FocusSessionId),
  status: Schema.optionalWith(StatusFilter, { default: () => "pending" as const }),
  view: described(
    "How much of each proposal to return: everything, or everything except the content.",
    Schema.optionalWith(
      Schema.Literal("full", "basic").annotations({
        description: "How much of each proposal to return: everything, or everything except the content."
      }),
      {
        default: () => "full" as const
      }
    )
  )
}

const pageDefault = 50
const toolPageDefault = 20 // Smaller than the other default, because the answer goes into the context of a model.
const pageMax = 200

// the maximum number of ids in one query, so that the URL of the request stays below 8 kB
const idsMax = 200

const idList = commaList(Schema.Array(Id).pipe(Schema.maxItems(idsMax)), idsMax * 37)
const idsOf = (description: string) =>
  Schema.optional(idList.annotations({ jsonSchema: { type: "string", description } }))

/** The filters that only the REST endpoint has. */
const restFilters = {
  actorId: described("Only proposals of the person or agent with this id.", Schema.optional(Id)),
  proposalType: described(
    "Only proposals of this kind, such as `entity.update` or `join`.",
    Schema.optional(Schema.String.pipe(Schema.minLength(1), Schema.maxLength(120)))
  ),
  whose: described(
    "`mine`: only proposals that you or your agents made. Default: all.",
    Schema.optional(Schema.Literal("mine", "all"))
  ),
  ids: idsOf(`Ids of the wanted proposals, separated by commas; at most ${idsMax}.`),
  exceptIds: idsOf(`Ids of the proposals to leave out, separated by commas; at most ${idsMax}.`)
}

export const ProposalQuery = Schema.Struct({
  ...filters,
  ...restFilters,
  ...pageQuery("proposals", pageDefault, pageMax)
})
export const ProposalInput = Schema.Struct({ ...filters, ...pageInput("proposals", pageDefault, pageMax) })
export type ProposalInput = typeof ProposalInput.Type
/** The input of the MCP tool that lists proposals. `detail` is an older name of the field `view`. */
export const ProposalToolInput = Schema.Struct({
  ...ProposalInput.fields,
  limit: limitInput(toolPageDefault, pageMax),
  detail: Schema.optional(Schema.Literal("summary", "full"))
})
/** A request for a list of proposals, through an endpoint, a procedure or a tool. */
export type ProposalListing = ProposalInput & Partial<Pick<typeof ProposalQuery.Type, keyof typeof restFilters>>

export const ProposalPage = Schema.Struct({
  proposals: Schema.Array(Schema.Union(Proposal, BasicProposal)),
  limit: described("Largest number of proposals to return.", Schema.Number),
  offset: described("Number of skipped proposals.", Schema.Number),
  total: described("Number of proposals that match the filters. The pod stops counting at 10,000.", Schema.Number),
  hasMore: described("Whether there is a next page.", Schema.Boolean)
}).annotations({ identifier: "ProposalPage" })
