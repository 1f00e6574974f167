/** Adds a record of any type through the store of records. */
import { Effect } from "effect"
import type { ReachShape } from "../../src/doors/Reach.ts"
import { Records } from "../../src/features/records/Records.ts"
import type { Common, OwnFields, RecordType } from "../../src/features/records/RecordType.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { aPassed } from "./passed.ts"
import { withReach } from "./stores.ts"

export const anyEvent = (id: string, verb = "create") => ({ type: `test.${verb}`, subjectId: id, data: {} })

export const addAnyRecord = <A extends Common>(
  reach: ReachShape,
  type: RecordType<A>,
  spaceId: string,
  fields: OwnFields<A>,
  id = uuidv7()
) => Effect.flatMap(Records, ({ add }) => withReach(reach)(add(type, { id, spaceId, fields }, anyEvent(id), aPassed)))
