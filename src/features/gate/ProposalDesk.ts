/** The port through which the gate puts a change before a person. */
import { Context, type Effect } from "effect"
import type { ProposedAnswer } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Passed } from "./Passed.ts"
import type { Change } from "./Write.ts"

export class ProposalDesk extends Context.Tag("pod/ProposalDesk")<
  ProposalDesk,
  {
    /** Keeps the change with its event, which carries the gate's word that it waits. */
    readonly file: (change: Change, passed: Passed) => Effect.Effect<ProposedAnswer, never, Reach>
    /** Keeps the wish of the calling agent to be let into a workspace; once, however often it is said. */
    readonly askToJoin: (spaceId: string, passed: Passed) => Effect.Effect<ProposedAnswer, never, Reach>
  }
>() {}
