/** Stores a record directly, for types of records that no operation creates. */
import { Effect } from "effect"
import { noClient, Reach, systemReach } from "../../src/doors/Reach.ts"
import { Records } from "../../src/features/records/Records.ts"
import type { Common, OwnFields, RecordType } from "../../src/features/records/RecordType.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import type { TestPod } from "./pod.ts"
import { aPassed } from "./passed.ts"

/** Stores a record of this person, in the given space or in the person's own space. Returns the id of the record. */
export const keptRecord = async <A extends Common>(
  pod: TestPod,
  type: RecordType<A>,
  fields: OwnFields<A>,
  personId: string,
  spaceId = personId
): Promise<string> => {
  const id = uuidv7()
  const origin = { operation: "a test", requestId: uuidv7(), client: noClient }
  await pod.run(
    Effect.flatMap(Records, (records) =>
      records.add(type, { id, spaceId, fields }, { type: `${type.name}.create`, subjectId: id, data: {} }, aPassed)
    ).pipe(Effect.provideService(Reach, systemReach("a test", personId, [spaceId], origin)))
  )
  return id
}
