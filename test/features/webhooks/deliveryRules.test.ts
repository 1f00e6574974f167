/**
 * The pure rules of webhook deliveries: which event types match, when a failed call is repeated, and which secrets sign
 * a call.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { requestToKeep } from "../../../src/features/webhooks/SentRequest.ts"
import {
  attemptBodyMax,
  includesType,
  isInLens,
  isSuccess,
  pauseAfter,
  standardTimes
} from "../../../src/features/webhooks/Delivery.ts"
import { receiverRules } from "../../../src/features/outbound/ReceiverAddress.ts"
import { newSecret, secretsAt, standardSignature } from "../../../src/features/webhooks/Signature.ts"

describe("the rules for webhook deliveries", () => {
  it("a webhook matches an event type by its exact name, by `*` for all types, or by `*` with an ending such as `.validated`", () => {
    const cases: ReadonlyArray<readonly [string, string, boolean]> = [
      ["entity.note.create", "entity.note.create", true],
      ["entity.note", "entity.note.create", false],
      ["*", "anything.at.all", true],
      ["*.validated", "entity.note.validated", true],
      ["*.validated", "validated", false],
      ["*.validated", "entity.revalidated", false],
      ["*.note.create", "entity.note.create", true]
    ]
    for (const [wanted, type, expected] of cases)
      assert.strictEqual(includesType([wanted], type), expected, wanted + type)
  })

  it("each event is either internal or external, and the field `lens` of a webhook decides whether the webhook gets internal events, external events or both", () => {
    const cases = [
      ["entity.note.create", "api", "internal"],
      ["ai.nudge.posted", "intelligence", "internal"],
      ["webhook.disabled", "system", "internal"],
      ["cronometer.tick", "automation", "internal"],
      ["cron.daily", "automation", "external"],
      ["feed.item.added", "api", "external"],
      ["webhook.received", "api", "external"],
      ["entity.note.create", "sync", "external"],
      ["entity.note.create", "migration", "external"]
    ] as const
    for (const [type, source, expected] of cases) {
      const lenses = (["all", "internal", "external"] as const).filter((lens) => isInLens(lens, { type, source }))
      assert.deepStrictEqual(lenses, ["all", expected], `${type} ${source}`)
    }
  })

  it("retries of a webhook call follow the schedule of Standard Webhooks, up to the number that the webhook allows", () => {
    const pauses = Array.from({ length: 11 }, (_, at) => pauseAfter(standardTimes, at + 1, 20, null, 0))
    const hour = 3600
    const expected = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour, null, null]
    assert.deepStrictEqual(pauses, expected)
    assert.isNull(pauseAfter(standardTimes, 4, 3, null, 0))
    assert.isNull(pauseAfter(standardTimes, 1, 0, null, 0))
    assert.strictEqual(Duration.toSeconds(standardTimes.timeout), 15)
    assert.strictEqual(Duration.toDays(standardTimes.disableAfter), 5)
  })

  it("random jitter never shortens the pause before a retry, and a receiver can ask for a longer pause of at most a day", () => {
    assert.strictEqual(pauseAfter(standardTimes, 2, 9, null, 1), 360)
    assert.strictEqual(pauseAfter(standardTimes, 1, 9, 60, 0), 60)
    assert.strictEqual(pauseAfter(standardTimes, 2, 9, 60, 0), 300)
    assert.strictEqual(pauseAfter(standardTimes, 1, 9, 10_000_000, 0), 86_400)
  })

  it("a webhook call succeeds only if the receiver answers with a status from 200 to 299", () => {
    const successes = [null, 199, 200, 204, 299, 300, 304, 410, 500].filter((status) => isSuccess({ status }))
    assert.deepStrictEqual(successes, [200, 204, 299])
  })

  it("the pod signs webhook calls in the same way as the published library, for secrets with and without the prefix `whsec_`", () => {
    const at = new Date(1_700_000_000_000)
    for (const secret of [newSecret(Buffer.alloc(32, 7)), Buffer.alloc(24, 9).toString("base64")]) {
      assert.strictEqual(
        standardSignature(secret, "msg", at.getTime() / 1000, "{}"),
        new StandardWebhook(secret).sign("msg", at, "{}")
      )
    }
  })

  it("the pod keeps at most 16 kB of the body of a webhook call, says if it cut the body, and never cuts within a character", () => {
    const kept = (start: string, end: string) => {
      const { bodyEnd, bodyStart, isCut } = requestToKeep({}, { start, end })
      return { body: bodyStart + bodyEnd, isCut }
    }
    const full = "x".repeat(attemptBodyMax - 2)
    assert.deepStrictEqual(kept("{", "}"), { body: "{}", isCut: false })
    assert.deepStrictEqual(kept(full, "ab"), { body: `${full}ab`, isCut: false })
    assert.deepStrictEqual(kept(full, "abc"), { body: `${full}ab`, isCut: true })
    assert.deepStrictEqual(kept(`${full}abc`, "}"), { body: `${full}ab`, isCut: true })
    assert.deepStrictEqual(kept(`${full}a😀`, "}"), { body: `${full}a`, isCut: true })
  })

  it("a webhook call is signed with the new and the former secret until the former secret expires, and then only with the new secret", () => {
    const at = (seconds: number) => DateTime.unsafeMake(1_700_000_000_000 + seconds * 1000)
    const rotated = { secret: "new", formerSecret: "old", formerSecretEnds: at(10) }
    assert.deepStrictEqual(secretsAt(rotated, at(9)), ["new", "old"])
    assert.deepStrictEqual(secretsAt(rotated, at(10)), ["new"])
    assert.deepStrictEqual(secretsAt({ ...rotated, formerSecret: null, formerSecretEnds: null }, at(0)), ["new"])
    assert.strictEqual(Duration.toHours(standardTimes.formerSecret), 24)
  })

  it("attack: in whatever form the address of a webhook is written, the pod connects only to public addresses and to addresses that the operator allows", () => {
    const { mayConnect } = receiverRules(["10.1.0.0/16", "fd00::/8", "192.168.1.7"])
    const allowed = ["93.184.216.34", "2606:2800:220:1::1", "10.1.2.3", "fd00::1", "192.168.1.7", "::ffff:10.1.2.3"]
    const refused = [
      "10.2.0.1",
      "192.168.1.8",
      "127.0.0.1",
      "0.0.0.0",
      "169.254.169.254",
      "::1",
      "::",
      "fe80::1",
      "::ffff:127.0.0.1",
      "::ffff:169.254.169.254",
      "64:ff9b::7f00:1"
    ]
    assert.deepStrictEqual([...allowed, ...refused].filter(mayConnect), allowed)
  })

  it("attack: if the operator allows a range of private addresses, the pod still refuses a webhook address outside the range and an ambiguous text of an address", () => {
    const { urlFault } = receiverRules(["10.1.0.0/16"])
    for (const url of ["http://10.1.2.3:8080/hook", "http://receiver/hook", "https://example.com/hook"]) {
      assert.isUndefined(urlFault(url), url)
    }
    for (const url of [
      "http://10.2.0.1/hook",
      "http://10.1.2.3@elsewhere.example/hook",
      "http://receiver\\elsewhere.example/hook",
      "http://re\tceiver/hook",
      "http://receiver\u0085/hook",
      "http://receiver /hook",
      "ftp://receiver/hook"
    ]) {
      assert.isString(urlFault(url), JSON.stringify(url))
    }
  })
})
