/**
 * Finds the IP addresses of host names that people chose. Node's `lookup` runs in a pool of threads, of which it uses
 * at most two at a time, and waits up to 20 s for a name server. So two names of a hostile name server would stop the
 * look-ups of the whole process, also those of its database. The pod asks the name servers itself, without a thread, and
 * uses `lookup` only for names that they do not know, one at a time.
 */
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"
import type { OutboundSettings, ResolvedAddress } from "./OutboundCall.ts"

// the longest wait for a name server, in milliseconds, and the number of tries; the wait of the second try is longer
const answerMs = 2_000
const tries = 2
// the maximum number of names that wait for `lookup`; the pod refuses further names
const waitingMax = 20
const hostsFile = "/etc/hosts"

export interface NameSources {
  /** The name servers. Undefined means those of the system. */
  readonly servers?: ReadonlyArray<string>
  /** Reads the names that the administrator of the machine has set. */
  readonly hosts: () => Promise<string>
  /** Finds a name as other programs of this machine do, such as a name with a search domain. */
  readonly bySystem: (host: string) => Promise<ReadonlyArray<ResolvedAddress>>
}

const ofSystem: NameSources = {
  hosts: () => readFile(hostsFile, "utf8").catch(() => ""),
  bySystem: (host) => lookup(host, { all: true })
}

/** Returns the addresses of a name in the text of a hosts file. */
const addressesIn = (hosts: string, host: string): ReadonlyArray<ResolvedAddress> =>
  hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((name) => name.toLowerCase() === host) ? [{ address, family }] : []
  })

/** The failures after which another source may know the name: the name is unknown, or no name server can be reached. */
const isUnknown = ({ reason }: PromiseRejectedResult): boolean => {
  const { code } = reason as NodeJS.ErrnoException
  return code === "ENOTFOUND" || code === "ENODATA" || code === "ECONNREFUSED"
}

/** Runs the work one at a time. Fails at once if too much work waits. */
const oneAtATime = () => {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return <A>(work: () => Promise<A>): Promise<A> => {
    if (waiting >= waitingMax) return Promise.reject(new Error("Too many host names wait for their look-up."))
    waiting += 1
    const mine = last.then(work).finally(() => (waiting -= 1))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Makes the function that finds all IP addresses of a host name. */
export const nameLookUp = ({ bySystem, hosts, servers }: NameSources = ofSystem): OutboundSettings["resolve"] => {
  const inTurn = oneAtATime()
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, "")
    const set = addressesIn(await hosts(), name)
    if (set.length > 0) return set
    // A new resolver reads which name servers the system has now.
    const resolver = new Resolver({ timeout: answerMs, tries })
    if (servers !== undefined) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : [])
    ]
    if (found.length > 0) return found
    const failure = [four, six].find((one) => one.status === "rejected" && !isUnknown(one))
    if (failure?.status === "rejected") throw failure.reason
    return inTurn(() => bySystem(host))
  }
}
