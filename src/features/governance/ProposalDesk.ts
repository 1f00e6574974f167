/** The port through which the gate puts a change before a person. */
import { Context, type Effect } from "effect"
import type { ProposedAnswer } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Change } from "./Write.ts"

export class ProposalDesk extends Context.Tag("pod/ProposalDesk")<
  ProposalDesk,
  {
    /** Keeps the change with its event, under the decision in the notes of the call. */
    readonly file: (change: Change) => Effect.Effect<ProposedAnswer, never, Reach>
    /** Keeps the wish of the calling agent to be let into a workspace; once, however often it is said. */
    readonly askToJoin: (spaceId: string) => Effect.Effect<ProposedAnswer, never, Reach>
  }
>() {}
