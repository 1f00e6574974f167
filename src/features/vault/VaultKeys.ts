/**
 * Encrypts the data keys of all vaults again, with the present key of the pod, after the operator has changed the key
 * of the pod.
 */
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import { EncryptionKeys } from "../../platform/Encryption.ts"
import { openDataKey, sealDataKey } from "./VaultCipher.ts"
import { VaultKeyStore } from "./VaultKeyStore.ts"

const pageRows = 200

export class VaultKeys extends Context.Tag("pod/VaultKeys")<
  VaultKeys,
  {
    /** The number of vaults whose data key the present key of the pod cannot decrypt. */
    readonly countOther: Effect.Effect<number>
    /**
     * Finds the data keys that only a former key of the pod can decrypt, encrypts them again with the present key, and
     * returns their number. Does not change a data key that no key of the pod can decrypt. Several pods can do this at
     * the same time.
     */
    readonly reseal: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* VaultKeyStore
      const podKeys = yield* EncryptionKeys
      const others = Stream.paginateChunkEffect(null, (after: string | null) =>
        Effect.map(store.list(after, pageRows), (page) => {
          const last = page.at(-1)
          return [
            Chunk.fromIterable(page),
            last === undefined || page.length < pageRows ? Option.none() : Option.some<string | null>(last.personId)
          ] as const
        })
      ).pipe(Stream.filter(({ personId, sealedKey }) => Option.isNone(openDataKey([podKeys[0]], personId, sealedKey))))
      return {
        countOther: Stream.runCount(others),
        reseal: Stream.runFoldEffect(others, 0, (done, found) =>
          Option.match(openDataKey(podKeys, found.personId, found.sealedKey), {
            onNone: () => Effect.succeed(done),
            onSome: (dataKey) =>
              Effect.map(store.replace(found, sealDataKey(podKeys, found.personId, dataKey)), (isDone) =>
                isDone ? done + 1 : done
              )
          })
        )
      }
    })
  )

  /** Runs `reseal` once in the background, if the pod has a former key. */
  static readonly layerResealing = Layer.scopedDiscard(
    Effect.gen(function* () {
      const { reseal } = yield* VaultKeys
      if ((yield* EncryptionKeys).length === 1) return
      yield* reseal.pipe(
        Effect.tap((count) =>
          count === 0 ? Effect.void : Effect.logInfo(`${count} vaults are encrypted with the new encryption key now.`)
        ),
        Effect.catchAllCause((cause) => Effect.logWarning("not every vault has the new encryption key", cause)),
        Effect.forkScoped
      )
    })
  )
}
