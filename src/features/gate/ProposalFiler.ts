/** The interface through which the gate stores a proposal for a person. */
import { Context, type Effect } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import type { ProposedAnswer } from "../../doors/Proposed.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { Passed } from "./Passed.ts"
import type { Change } from "./Write.ts"

export class ProposalFiler extends Context.Tag("pod/ProposalFiler")<
  ProposalFiler,
  {
    /**
     * Stores the change as a proposal, with its event. The event contains the decision of the gate. Fails with Forbidden if
     * too many proposals of the agent wait.
     */
    readonly file: (change: Change, passed: Passed) => Effect.Effect<ProposedAnswer, Forbidden, Reach>
    /** Stores the request of the calling agent to join a workspace. A repeated request is stored only once. */
    readonly askToJoin: (
      spaceId: string,
      reasoning: string | null,
      passed: Passed
    ) => Effect.Effect<ProposedAnswer, Forbidden, Reach>
  }
>() {}
