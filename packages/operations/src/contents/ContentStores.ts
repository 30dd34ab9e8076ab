/** The stores that a program was given: one takes new contents, the others have what was put there before. */
import { StoreKind } from "@quittance/domain/contents/StoreKind"
import { WrongSetting } from "@quittance/domain/values/Settings"
import { Config, Context, Effect, Layer, Option } from "effect"
import type { ContentStore } from "./ContentStore.ts"
import { FolderContentStore } from "./FolderContentStore.ts"
import { PostgresContentStore } from "./PostgresContentStore.ts"
import { S3ContentStore } from "./S3ContentStore.ts"

/** What tells that a store is there to be read, though another one takes what is new. */
const variables = { FOLDER: "CONTENT_DIR", S3: "CONTENT_S3_BUCKET" } as const

export class ContentStores extends Context.Service<
  ContentStores,
  {
    /** Takes new contents. */
    readonly current: ContentStore
    /** A defect where this program was not given the store. */
    of(kind: StoreKind): Effect.Effect<ContentStore>
    readonly all: ReadonlyArray<ContentStore>
  }
>()("@quittance/operations/ContentStores") {
  /** `CONTENT_STORE` is `POSTGRES` (default), `FOLDER` or `S3`. */
  static readonly layer = Layer.effect(
    ContentStores,
    Effect.gen(function* () {
      const kind = yield* Config.schema(StoreKind, "CONTENT_STORE").pipe(
        Config.withDefault("POSTGRES" as const)
      )
      const isGiven = Effect.fnUntraced(function* (one: keyof typeof variables) {
        return one === kind || Option.isSome(yield* Config.option(Config.String(variables[one])))
      })
      const all: Array<ContentStore> = [yield* PostgresContentStore]
      if (yield* isGiven("FOLDER")) {
        const context = yield* Layer.build(FolderContentStore.layer)
        all.push(Context.get(context, FolderContentStore))
      }
      if (yield* isGiven("S3")) {
        const context = yield* Layer.build(S3ContentStore.layer)
        all.push(Context.get(context, S3ContentStore))
      }
      return makeOf(all, kind)
    })
  ).pipe(Layer.provide(PostgresContentStore.layer))
}

/** Stores, the last of which takes what is new. */
const makeOf = (all: ReadonlyArray<ContentStore>, kind: StoreKind) => {
  const find = (one: StoreKind) => all.find((store) => store.kind === one)
  return ContentStores.of({
    all,
    current: find(kind)!,
    of: (one) =>
      Effect.suspend(() => {
        const store = find(one)
        return store === undefined
          ? Effect.die(
              new WrongSetting({
                variable: one === "POSTGRES" ? "DATABASE_URL" : variables[one],
                takes: "the store in which earlier contents are, also after another one was chosen"
              })
            )
          : Effect.succeed(store)
      })
  })
}
