/** Tests what the console reads again when data change while it reads them. */
import { QueryObserver } from "@tanstack/react-query"
import { afterEach, assert, describe, it } from "vitest"
import { ReadCache } from "../../src/console/api/ReadCache.ts"

const queryKey = ["notifications"]

/** A list on a screen. Each read of the list waits until the test answers it. */
const aShownList = () => {
  const cache = new ReadCache()
  const answers: Array<(text: string) => void> = []
  let begun = () => {}
  const queryFn = () => new Promise<string>((answer) => (answers.push(answer), begun()))
  const observer = new QueryObserver(cache, { queryKey, queryFn, retry: false })
  const leave = observer.subscribe(() => {})
  return {
    answers,
    cache,
    leave: () => {
      leave()
      cache.clear()
    },
    reads: async (count: number) => {
      while (answers.length < count) await new Promise<void>((next) => (begun = next))
    },
    shows: async (text: string) => {
      if (observer.getCurrentResult().data === text) return
      await new Promise<void>((done) => {
        const stop = observer.subscribe(({ data }) => {
          if (data !== text) return
          stop()
          done()
        })
      })
    }
  }
}

describe("data that change while the console reads them", () => {
  let list: ReturnType<typeof aShownList>
  afterEach(() => list.leave())

  it("if a list changes during its first read, the console reads the list again, because the pod can have answered the first read before the change", async () => {
    list = aShownList()
    await list.reads(1)
    const done = list.cache.invalidateQueries({ queryKey })
    list.answers[0]?.("before")
    await list.reads(2)
    list.answers[1]?.("after")
    await done
    await list.shows("after")
  })

  it("if a list changes during a first read that fails, the console reads the list again", async () => {
    list = aShownList()
    await list.reads(1)
    const done = list.cache.invalidateQueries({ queryKey })
    // The read fails, because its answer is no text but a failure.
    list.answers[0]?.(Promise.reject(new Error("no answer")) as never)
    await list.reads(2)
    list.answers[1]?.("after")
    await done
    await list.shows("after")
  })

  it("several changes during one first read of a list lead to one further read", async () => {
    list = aShownList()
    await list.reads(1)
    const done = [1, 2, 3].map(() => list.cache.invalidateQueries({ queryKey }))
    list.answers[0]?.("before")
    await list.reads(2)
    list.answers[1]?.("after")
    await Promise.all(done)
    assert.strictEqual(list.answers.length, 2)
  })

  it("changes that arrive faster than the pod answers do not hold back the answers: the running read ends, and one more follows", async () => {
    list = aShownList()
    await list.reads(1)
    list.answers[0]?.("first")
    await list.shows("first")
    const quickly = () => list.cache.invalidateQueries({ queryKey }, { cancelRefetch: false })
    const done = [quickly(), quickly(), quickly()]
    await list.reads(2)
    done.push(quickly())
    list.answers[1]?.("second")
    await list.shows("second")
    await list.reads(3)
    list.answers[2]?.("third")
    await Promise.all(done)
    await list.shows("third")
    assert.strictEqual(list.answers.length, 3)
  })

  it("after a write of the person, a running read of known data is cancelled, so the console shows no state from before the write", async () => {
    list = aShownList()
    await list.reads(1)
    list.answers[0]?.("first")
    await list.shows("first")
    void list.cache.invalidateQueries({ queryKey })
    await list.reads(2)
    const done = list.cache.invalidateQueries({ queryKey })
    await list.reads(3)
    list.answers[2]?.("after")
    await done
    list.answers[1]?.("before")
    await list.shows("after")
  })
})
