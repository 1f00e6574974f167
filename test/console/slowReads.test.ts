/** Tests the time limit of the console's reads: a panel says that the pod does not answer, and offers to try again. */
import { assert, describe, expect, it } from "vitest"
import { inTime, noAnswerCode, readTimeMs } from "../../src/console/api/inTime.ts"
import { Refusal } from "../../src/console/api/refusal.ts"
import { describeConsole, it as itInBrowser, panelNamed } from "./consoleScene.ts"

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
  })

describe("the time limit of a read", () => {
  it("the console aborts a read without an answer at the time limit, and the read fails with a message and a code", async () => {
    let seen: AbortSignal | undefined
    const failure: unknown = await inTime(
      (signal) => {
        seen = signal
        return never(signal)
      },
      undefined,
      10
    ).catch((each: unknown) => each)
    assert.instanceOf(failure, Refusal)
    assert.strictEqual(failure.code, noAnswerCode)
    assert.include(failure.message, "has not answered")
    assert.isTrue(seen?.aborted)
  })

  it("if a page of the console no longer needs a read, the console aborts the read and does not report it as a read without an answer", async () => {
    const page = new AbortController()
    const read = inTime(never, page.signal, 10_000)
    page.abort()
    await expect(read).rejects.toMatchObject({ name: "AbortError" })
  })

  it("a read of the console returns the answer of the pod, and passes a failure of the pod on unchanged", async () => {
    assert.strictEqual(await inTime(() => Promise.resolve("answer"), undefined, 10), "answer")
    const refused = new Refusal(403, { error: "no", code: "FORBIDDEN" })
    await expect(inTime(() => Promise.reject(refused), undefined, 10)).rejects.toBe(refused)
  })
})

describeConsole("a pod that does not answer", ({ open }) => {
  for (const [kind, path, panel, answered, other] of [
    [
      "a REST call",
      "**/api/hub/webhooks*",
      "What fails",
      "No webhook fails.",
      "Nothing was refused in the last 7 days."
    ],
    ["a procedure", "**/trpc/**", "What ends soon", "No key ends within 14 days.", "What ends soon"]
  ] as const) {
    itInBrowser(
      `if ${kind} gets no answer, its panel says so after the time limit, and “Retry” reads again`,
      async () => {
        const page = await open("/memory", { hasClock: true })
        await page.route(path, () => undefined)
        await page.getByRole("link", { name: "Home" }).click()
        const shown = panelNamed(page, panel)
        // The other read of the panel must have its answer, or the clock would also bring it to the time limit.
        await shown.getByText(other).waitFor()
        const sentence = shown.getByText(`The pod has not answered within ${readTimeMs / 1000} seconds.`)
        // The clock of the page also goes on by itself, so the test stays far from the limit.
        await page.clock.runFor(readTimeMs / 4)
        assert.strictEqual(await sentence.count(), 0)
        await page.clock.runFor(readTimeMs)
        await sentence.waitFor()
        await shown.getByText(noAnswerCode).waitFor()
        await page.unroute(path)
        await shown.getByRole("button", { name: "Retry" }).click()
        await shown.getByText(answered).waitFor()
      }
    )
  }
})
