/**
 * Revokes more than a hundred keys under load on two pods. After the answer to a revocation, no pod commits a write of
 * the revoked key, even if signals between the pods are lost.
 */
import { assert } from "@effect/vitest"
import { it } from "vitest"
import { describePodPair } from "../support/podPair.ts"
import { type RevocationReport, revocationRounds } from "../support/revocationRounds.ts"

const writers = 32

const quantile = (values: ReadonlyArray<number>, share: number) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length * share)].toFixed(0)

const tell = (what: string, { accepted, refusedEverywhereInMs, revokedInMs }: RevocationReport) =>
  process.stdout.write(
    `${what}: ${revokedInMs.length} revocations, ${accepted} writes accepted, 0 late; answered in ` +
      `${quantile(revokedInMs, 0.5)} ms (p50), ${quantile(revokedInMs, 0.99)} ms (p99); ` +
      `refused on reads without a statement after ${refusedEverywhereInMs.toFixed(0)} ms at worst\n`
  )

describePodPair("revocations on PostgreSQL with two pods and 32 writers", (pair) => {
  it("while pods send each other signals, no write with a key is committed after a pod has answered that the key is revoked (80 revocations)", async () => {
    const report = await revocationRounds({ ...pair, rounds: 80, writers })
    tell("listening", report)
    assert.isAtLeast(report.accepted, 80 * writers)
  })

  it("while the connections for signals between pods are cut, no write with a key is committed after a pod has answered that the key is revoked (20 revocations)", async () => {
    const report = await revocationRounds({
      ...pair,
      rounds: 20,
      writers,
      before: async () => {
        await pair.ask(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'pod listener'`
        )
      }
    })
    tell("listeners terminated", report)
  })

  it("while one pod gets no signals from the other pod, no write with a key is committed after a pod has answered that the key is revoked (20 revocations)", async () => {
    pair.proxy.silenceThoseSaying("LISTEN")
    const report = await revocationRounds({ ...pair, rounds: 20, writers }).finally(pair.proxy.heal)
    tell("listener silent", report)
  })
})
