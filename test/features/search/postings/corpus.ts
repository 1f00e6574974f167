/** Generated objects for tests of the search index, and the words in their texts. */
import type { IndexedObject } from "../../../../src/features/search/postings/IndexedObject.ts"
import { toIndexedObject, type Source } from "../../../../src/features/search/Source.ts"

const plainSource: Source = {
  id: "",
  spaceId: "space",
  type: "document",
  kind: null,
  title: "",
  text: "",
  facets: [],
  ownerId: null,
  makerId: "maker",
  writerId: "writer",
  updatedAt: 0
}

export const aSource = (given: Partial<Source>): Source => ({ ...plainSource, ...given })

export const aText = (given: Partial<Source>): IndexedObject => toIndexedObject(aSource(given), "english")
