/**
 * The person's vault, in which the pod keeps secrets encrypted. The console shows a secret only when the person asks
 * for it.
 */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { everyPage } from "../../api/everyPage.ts"
import { askPage, procedureQuery } from "../../api/procedures.ts"
import { allSharedEntriesQuery } from "../../api/wholeLists.ts"
import { Empty, Panel } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { SharedEntries, VaultEntries } from "./VaultEntries.tsx"
import { VaultForm } from "./VaultForm.tsx"
import { VaultRecovery } from "./VaultRecovery.tsx"

// The pod returns at most this many entries on one page.
const entriesAtOnce = 200

/** Reads the state of the vault, with the entries of every page. */
const wholeVaultQuery = queryOptions({
  queryKey: ["secretsVault", "secretsVault.getVaultMetadata", "everyPage"],
  queryFn: async ({ signal }) => {
    const { answer, next } = await askPage("secretsVault.getVaultMetadata", { limit: entriesAtOnce }, signal)
    if (next === undefined) return answer
    const further = await everyPage<(typeof answer)["entries"][number]>(
      { atOnce: entriesAtOnce, read: (page, stop) => askPage("secretsVault.list", page, stop) },
      signal,
      next
    )
    return { ...answer, entries: [...answer.entries, ...further] }
  }
})

/**
 * Shows which values of the vault the person should change, such as weak or expired passwords. Shows nothing if all
 * values are good.
 */
const Advice = () => {
  const { data } = useQuery(procedureQuery("secretsVault.getSecurityStats", {}))
  if (data === undefined) return null
  const findings = [
    [data.weak, "easy to guess"],
    [data.reused, "used in another entry too"],
    [data.old, "older than a year"],
    [data.expired, "expired"]
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return findings.length === 0 ? null : <p className="text-warn">Change some of them: {findings.join(", ")}.</p>
}

/** Shows the entries that other people share with the person. Shows nothing if there are none. */
const SharedWithMe = () => {
  const { data } = useQuery(allSharedEntriesQuery)
  return data === undefined || data.length === 0 ? null : (
    <Panel title="Shared with you">
      <SharedEntries entries={data} />
    </Panel>
  )
}

export const VaultPart = () => {
  const vault = useQuery(wholeVaultQuery)
  return (
    <div className="grid gap-4">
      <Panel title="Vault">
        <p className="text-muted">
          The pod encrypts each value (AES-256-GCM) and shows it only to you and to the people that you share it with.
          No key and no agent can read a value.
        </p>
        <QueryResult what="your vault" query={vault}>
          {({ entries, isLocked }) =>
            isLocked ? (
              <p className="text-bad">
                The pod cannot open this vault, because its encryption key was replaced. The recovery key opens it
                again.
              </p>
            ) : entries.length === 0 ? (
              <Empty title="Your vault is empty.">
                <p>Create the first secret below.</p>
              </Empty>
            ) : (
              <>
                <Advice />
                <VaultEntries entries={entries} />
              </>
            )
          }
        </QueryResult>
      </Panel>
      <SharedWithMe />
      {vault.data?.isLocked === false && <VaultForm />}
      {vault.data?.hasVault === true && (
        <VaultRecovery isLocked={vault.data.isLocked} madeAt={vault.data.recoveryKeyCreatedAt} />
      )}
    </div>
  )
}
