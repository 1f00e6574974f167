/**
 * Lists the methods of stores that the pod may call without a reach (the value that says what the caller may touch). If
 * a new method of this kind is missing here, the tests do not compile.
 */
import type { Context, Effect } from "effect"
import type { Reach } from "../../src/doors/Reach.ts"
import type { StoreName, Stores, stores } from "../../src/Stores.ts"

type ServiceOf<Name extends StoreName> = Context.Tag.Service<(typeof stores)[Name]["tag"]>

type NeedsReach<E> = E extends Effect.Effect<infer _A, infer _E, infer R> ? (Reach extends R ? true : false) : false
type Answer<M> = M extends (...input: never) => infer E ? E : M

/**
 * The methods of a store that need no reach. The pod can call these methods before it knows the caller and what the
 * caller may touch.
 */
type WithoutReach<Name extends StoreName> = {
  [Method in keyof ServiceOf<Name>]: NeedsReach<Answer<ServiceOf<Name>[Method]>> extends true ? never : Method
}[keyof ServiceOf<Name>]

/**
 * The methods of each store that may be called without a reach (what the caller may touch). If a store is not in this
 * table, all its methods need a reach.
 */
interface FreeMethods {
  // The pod does not know the caller yet when it asks whether a password has changed.
  readonly accounts: "passwordMark"
  // Before the pod works for one person, it finds the rules that an event or a time starts. `forgetOld` deletes old
  // runs.
  readonly automations: "since" | "followersOf" | "scheduled" | "due" | "forgetOld"
  // The token in the address of a calendar is the only credential. The other two methods are used after a change of the
  // pepper.
  readonly calendars: "ordererOf" | "rehash" | "countOtherMark"
  // Before the pod works for one person, it finds the webhooks that have work. The last two methods delete old
  // deliveries and former secrets.
  readonly deliveries: "since" | "followersOf" | "due" | "forgetOld" | "forgetFormerSecrets"
  // Before the pod works for one space, it finds the events that wait for a consumer.
  readonly eventCursors: "spacesWithUnread" | "began" | "news"
  // This method tells this process that there are new events. It does not show the content of the log.
  readonly eventFeed: "news"
  // The holder of an invitation's token has no credential yet. The pod itself counts the invitations with an old
  // pepper.
  readonly invitations: "find" | "use" | "countOtherMark"
  // Jobs belong to the pod itself and to no space.
  readonly jobs:
    | "add"
    | "cancel"
    | "declare"
    | "expire"
    | "fail"
    | "find"
    | "finish"
    | "giveBack"
    | "nextInMs"
    | "states"
    | "take"
    | "deleteOld"
  // Some of these methods run before the caller is known, and one notes the use of a key. The others replace the hash
  // of a key after a change of the pepper, count keys, or list the keys of all people that end soon.
  readonly keys: "verify" | "verifyAmong" | "rehash" | "countOtherMark" | "touch" | "listEndingBefore"
  // Before the pod works for one person, it finds the people whose facts a model has not read yet.
  readonly memory: "withoutVectors"
  // The tokens of models are counted for the pod as a whole.
  readonly modelTokens: "take" | "correct"
  // These methods settle or delete the expired and old notifications of all people together.
  readonly notifications: "settleExpired" | "forgetOld"
  // These methods run before the caller is known, or make the first owner.
  readonly people:
    | "accessOf"
    | "hasOwner"
    | "ownerId"
    | "claim"
    | "addPerson"
    | "addSetupLink"
    | "setupLinkState"
    | "usedSetupLink"
  // Everybody sees the name of the pod.
  readonly podName: "name"
  // This method deletes, in all spaces, old rows that keys with the scope `probe` wrote.
  readonly probes: "forgetBefore"
  // This method clears a cache.
  readonly profiles: "forget"
  // The pod counts all waiting proposals for its metrics.
  readonly proposalCounts: "waiting"
  // The number of records is only compared with a quota, in all spaces of their owner.
  readonly quotas: "count"
  // Every call of a model needs the provider, whoever the caller is.
  readonly providers: "active"
  // The pod stores the calls of keys after the calls have ended. Before a caller reads the calls of a key, the service
  // checks that the key belongs to this caller.
  readonly usage: "note" | "days" | "calls" | "ids" | "lastCalls"
  // After a change of its secret, the pod itself encrypts the keys of all vaults again.
  readonly vaultKeys: "list" | "replace"
  // The embedding model makes the vectors of all spaces together.
  readonly vectors: "spacesWithUnread" | "progress" | "forgetReplaced"
}

type FreeOf<Name extends StoreName> = Name extends keyof FreeMethods ? FreeMethods[Name] : never

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

/**
 * The stores whose methods without a reach (what the caller may touch) differ from the table `FreeMethods`. If there is
 * such a store, the tests do not compile.
 */
export type StoresThatDiffer = {
  [Name in StoreName]: Same<WithoutReach<Name>, FreeOf<Name>> extends true ? never : Name
}[StoreName]

/**
 * Methods that need a reach (what the caller may touch), but that the tests of access do not call. These methods only
 * run statements of other stores, or read a cache.
 */
interface NotCalled {
  readonly idempotency: "once"
  readonly profiles: "cachedSchemaFor"
  readonly transactions: "exclusively" | "atomically"
}
type NotCalledOf<Name extends StoreName> = Name extends keyof NotCalled ? NotCalled[Name] : never

/**
 * One call for each method of the store that needs a reach (what the caller may touch). If the call of a method is
 * missing, the code does not compile.
 */
export type Calls<Name extends StoreName> = {
  readonly [Method in Exclude<keyof ServiceOf<Name>, FreeOf<Name> | NotCalledOf<Name>>]: Effect.Effect<
    unknown,
    unknown,
    Reach | Stores
  >
}

export type CallsOfStores = { readonly [Name in StoreName]: Calls<Name> }
