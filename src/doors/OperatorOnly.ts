/** The check for operations that only the operator of the data directory may call, over its socket. */
import { Effect } from "effect"
import { Forbidden } from "./Failure.ts"
import { Reach } from "./Reach.ts"

/** In: what the operator may do and by which command, such as `make a backup: pod backup`. Fails for every other caller. */
export const operatorOnly = (what: string, command: string): Effect.Effect<void, Forbidden, Reach> =>
  Effect.flatMap(Reach, ({ origin }) =>
    origin.isOperator === true
      ? Effect.void
      : new Forbidden({
          code: "OPERATOR_ONLY",
          why: `Only the operator of the pod may ${what}, over the socket of the data directory: ${command}.`,
          required: ["local operator"],
          granted: []
        })
  )
