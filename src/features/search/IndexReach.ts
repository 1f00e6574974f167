/**
 * The rights with which the pod reads rows for its indexes. To show a text to a caller, the pod reads the text again,
 * with the rights of the caller.
 */
import { noClient, systemReach } from "../../doors/Reach.ts"
import { uuidv7 } from "../../platform/Ids.ts"

const noPersonId = "00000000-0000-0000-0000-000000000000"

export const indexReach = (spaces: ReadonlyArray<string>) =>
  systemReach("the search index follows its space", noPersonId, spaces, {
    operation: "search.index",
    requestId: uuidv7(),
    client: noClient
  })
