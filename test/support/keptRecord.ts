/** A record put where the pod keeps it, for what no door makes: the past, and what others will make one day. */
import { Effect } from "effect"
import { noClient, Reach, systemReach } from "../../src/doors/Reach.ts"
import { Records } from "../../src/features/records/Records.ts"
import type { Common, Own, RecordType } from "../../src/features/records/RecordType.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import type { TestPod } from "./pod.ts"
import { aWord } from "./word.ts"

/** Of that person, in their own space unless another is named. Answers its id. */
export const keptRecord = async <A extends Common>(
  pod: TestPod,
  type: RecordType<A>,
  fields: Own<A>,
  personId: string,
  spaceId = personId
): Promise<string> => {
  const id = uuidv7()
  const origin = { operation: "a test", requestId: uuidv7(), client: noClient }
  await pod.run(
    Effect.flatMap(Records, (records) =>
      records.add(type, { id, spaceId, fields }, { type: `${type.name}.create`, subjectId: id, data: {} }, aWord)
    ).pipe(Effect.provideService(Reach, systemReach("a test", personId, [spaceId], origin)))
  )
  return id
}
