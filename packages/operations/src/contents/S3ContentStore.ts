/** Contents as objects of a service that speaks S3, through the client of its vendor. */
import type { _Object, S3Client } from "@aws-sdk/client-s3"
import {
  Clock,
  Config,
  Context,
  Effect,
  FileSystem,
  Layer,
  Option,
  Redacted,
  Schedule,
  Stream
} from "effect"
import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import {
  type ContentStore,
  ContentStoreAway,
  type Sealed,
  type StoredBytes
} from "./ContentStore.ts"

/** What a bucket is reached with; the vendor's own chain of credentials where no key is given. */
const settings = Config.all({
  bucket: Config.String("CONTENT_S3_BUCKET"),
  region: Config.String("CONTENT_S3_REGION").pipe(Config.withDefault("us-east-1")),
  /** Of a service other than Amazon's. */
  endpoint: Config.option(Config.String("CONTENT_S3_ENDPOINT")),
  /** A file with the certificates of authorities that vouch for the endpoint, in PEM. */
  authorities: Config.option(Config.String("CONTENT_S3_CA_FILE")),
  accessKey: Config.option(Config.Redacted("CONTENT_S3_ACCESS_KEY")),
  secretKey: Config.option(Config.Redacted("CONTENT_S3_SECRET_KEY"))
})

/** Milliseconds. A store that hangs is one that is away. */
const patience = { connectionTimeout: 3_000, socketTimeout: 15_000, requestTimeout: 60_000 }

/** A body that is a stream can't be sent again by the client itself. */
const again = { times: 2, schedule: Schedule.spaced("200 millis") }

/** The client is 22 MB: it is loaded only where it is used. */
const load = Effect.promise(() => import("@aws-sdk/client-s3"))

export class S3ContentStore extends Context.Service<S3ContentStore, ContentStore>()(
  "@quittance/operations/S3ContentStore"
) {
  static readonly layer = Layer.effect(
    S3ContentStore,
    Effect.gen(function* () {
      const { bucket: Bucket, ...where } = yield* settings
      const sdk = yield* load
      const client = yield* Effect.acquireRelease(connect(sdk, where), (open) =>
        Effect.sync(() => open.destroy())
      )

      const put = Effect.fn("S3ContentStore.put")(({ name: Key, sealed }: Put) =>
        asking((abortSignal) =>
          client.send(
            new sdk.PutObjectCommand({
              Bucket,
              Key,
              Body: Readable.from(sealed.pieces(), { objectMode: false }),
              ContentLength: sealed.size,
              ContentType: "application/octet-stream",
              // What arrives is what was sent, or is refused.
              ChecksumSHA256: digestOf(sealed)
            }),
            { abortSignal }
          )
        ).pipe(Effect.retry(again), Effect.asVoid)
      )

      const get = (Key: string, start: number, end: number) =>
        Stream.unwrap(
          asking((abortSignal) =>
            client.send(
              new sdk.GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end - 1}` }),
              { abortSignal }
            )
          ).pipe(
            Effect.flatMap(({ Body, ContentRange = "" }) =>
              ContentRange.startsWith(`bytes ${start}-`)
                ? // In Node the client answers a stream of it.
                  Effect.succeed(piecesOf(Body as Readable))
                : new ContentStoreAway({ cause: new Error("The range was ignored") })
            ),
            Effect.catchIf(isNothing, () => Effect.succeed(Stream.empty))
          )
        )

      const stat = Effect.fn("S3ContentStore.stat")((Key: string) =>
        asking((abortSignal) =>
          client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal })
        ).pipe(
          Effect.map(({ ContentLength }): number | undefined => ContentLength),
          Effect.catchIf(isNothing, () => Effect.undefined)
        )
      )

      const remove = Effect.fn("S3ContentStore.delete")((Key: string) =>
        asking((abortSignal) =>
          client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal })
        ).pipe(
          Effect.asVoid,
          Effect.catchIf(isNothing, () => Effect.void)
        )
      )

      const list = (folder: string) =>
        Stream.paginate<string | undefined, StoredBytes, ContentStoreAway, never>(
          undefined,
          Effect.fnUntraced(function* (ContinuationToken) {
            const page = yield* asking((abortSignal) =>
              client.send(
                new sdk.ListObjectsV2Command({
                  Bucket,
                  Prefix: `${folder}/`,
                  ...(ContinuationToken === undefined ? {} : { ContinuationToken })
                }),
                { abortSignal }
              )
            )
            const now = yield* Clock.currentTimeMillis
            const found = (page.Contents ?? []).flatMap((object) => storedOf(object, now))
            return [found, Option.fromUndefinedOr(page.NextContinuationToken)] as const
          })
        )

      return S3ContentStore.of({
        kind: "S3",
        put: (name, sealed) => put({ name, sealed }),
        get,
        stat,
        delete: remove,
        list
      })
    })
  )
}

interface Put {
  readonly name: string
  readonly sealed: Sealed
}

const connect = Effect.fnUntraced(function* (
  sdk: { readonly S3Client: typeof S3Client },
  {
    accessKey,
    authorities,
    endpoint,
    region,
    secretKey
  }: Omit<Config.Success<typeof settings>, "bucket">
) {
  const fs = yield* FileSystem.FileSystem
  const ca = Option.isNone(authorities) ? {} : { ca: yield* fs.readFileString(authorities.value) }
  return new sdk.S3Client({
    region,
    // What other services than Amazon's understand.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // For a request that waits to be told to go on the client forgets the authorities.
    expectContinueHeader: false,
    requestHandler: { ...patience, throwOnRequestTimeout: true, httpsAgent: ca },
    ...(Option.isNone(endpoint) ? {} : { endpoint: endpoint.value, forcePathStyle: true }),
    ...(Option.isNone(accessKey) || Option.isNone(secretKey)
      ? {}
      : {
          credentials: {
            accessKeyId: Redacted.value(accessKey.value),
            secretAccessKey: Redacted.value(secretKey.value)
          }
        })
  })
})

const asking = <A>(send: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: send, catch: (cause) => new ContentStoreAway({ cause }) })

const piecesOf = (body: Readable) =>
  Stream.fromAsyncIterable<Uint8Array, ContentStoreAway>(
    body,
    (cause) => new ContentStoreAway({ cause })
  )

/** That there is no such object, or not so much of it, is an answer and no failure. */
const isNothing = ({ cause }: ContentStoreAway): boolean =>
  cause instanceof Error && ["NoSuchKey", "NotFound", "InvalidRange"].includes(cause.name)

const digestOf = ({ pieces }: Sealed): string => {
  const hash = createHash("sha256")
  for (const piece of pieces()) hash.update(piece)
  return hash.digest("base64")
}

const storedOf = ({ Key, LastModified, Size }: _Object, now: number): ReadonlyArray<StoredBytes> =>
  Key === undefined
    ? []
    : [{ name: Key, size: Size ?? 0, age: now - (LastModified?.getTime() ?? now) }]
