/** Who looks for malware in what people add. */
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Config, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { connect } from "node:net"

/** The scanner can't be asked, or gives no verdict; it is asked again later. */
export class ScannerAway extends Schema.TaggedError<ScannerAway>()("ScannerAway", {
  cause: Schema.Defect()
}) {
  override get message() {
    return "The scanner gives no verdict; see whether it runs where CLAMD says, and takes files of 25 MiB."
  }
}

export type Verdict = "CLEAN" | "MALWARE"

/** Bytes as they come out of a store. */
type Bytes<R> = Stream.Stream<Uint8Array, never, R>

export class Scanner extends Context.Service<
  Scanner,
  { scan<R>(bytes: Bytes<R>): Effect.Effect<Verdict, ScannerAway, R> }
>()("@quittance/operations/Scanner") {
  /**
   * `CLAMD`, as `host:port`, names a ClamAV that takes INSTREAM. Without it sandboxes find the EICAR text
   * alone, and in production nothing is found clean: uploads stay in quarantine.
   */
  static readonly layer = Layer.effect(
    Scanner,
    Effect.gen(function* () {
      const address = yield* Config.option(Config.schema(Address, "CLAMD"))
      if (Option.isSome(address)) return clamd(address.value)
      return (yield* runningEnvironment) === "production" ? absent : sandbox
    })
  )
}

const Address = Schema.String.check(
  Schema.isPattern(/^[^\s:]+:\d{1,5}$/u, {
    message: "Expected the host and the port of clamd, such as 127.0.0.1:3310"
  })
)

/** The text by which scanners are tested (EICAR), in two parts so that no scanner finds this file. */
const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR` + "-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"

const sandbox = Scanner.of({
  scan: (bytes) => {
    let isFound = false
    // A text that lies across two pieces is found as well.
    let tail = Buffer.alloc(0)
    return Stream.runForEach(bytes, (piece) => {
      const both = Buffer.concat([tail, piece])
      isFound ||= both.includes(eicar)
      tail = both.subarray(-eicar.length)
      return Effect.void
    }).pipe(Effect.map(() => (isFound ? "MALWARE" : "CLEAN")))
  }
})

const absent = Scanner.of({
  scan: () => Effect.fail(new ScannerAway({ cause: new Error("CLAMD names no scanner") }))
})

/** The time that clamd has for a whole file. */
const patience = "60 seconds"

const clamd = (address: string) => {
  const [host = "", port = ""] = address.split(":")
  return Scanner.of({
    scan: (bytes) =>
      ask({ host, port: Number(port) }, bytes).pipe(
        Effect.timeout(patience),
        Effect.mapError((error) =>
          error._tag === "ScannerAway" ? error : new ScannerAway({ cause: error })
        ),
        Effect.flatMap(verdictOf)
      )
  })
}

/** `stream: OK`, `stream: Win.Test.EICAR_HDB-1 FOUND`, or that it could not look. */
const verdictOf = (answer: string): Effect.Effect<Verdict, ScannerAway> => {
  if (answer === "stream: OK\0") return Effect.succeed("CLEAN")
  if (/^stream: .+ FOUND\0$/su.test(answer)) return Effect.succeed("MALWARE")
  const said = `clamd says "${answer.slice(0, 200).replaceAll("\0", "")}"`
  return Effect.fail(new ScannerAway({ cause: new Error(said) }))
}

/**
 * Sends bytes as clamd's INSTREAM takes them: each piece behind its length, and a length of 0 at the end.
 * The answer is all that it says until it closes the connection.
 */
const ask = <R>(to: { readonly host: string; readonly port: number }, bytes: Bytes<R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => connect(to)),
        (opened) => Effect.sync(() => opened.destroy())
      )
      const answer = answerOf(socket)
      const send = (piece: Uint8Array) =>
        Effect.callback<void>((resume) => {
          // What can't be sent is told by the end of the answer.
          socket.write(piece, () => resume(Effect.void))
        })
      const sending = Effect.gen(function* () {
        yield* send(Buffer.from("zINSTREAM\0"))
        yield* Stream.runForEach(bytes, (piece) =>
          piece.length === 0
            ? Effect.void
            : Effect.andThen(send(lengthOf(piece.length)), send(piece))
        )
        yield* send(lengthOf(0))
      })
      // It answers before it has everything where a file is too large for it.
      yield* Effect.forkScoped(sending)
      return yield* Effect.tryPromise({
        try: () => answer,
        catch: (cause) => new ScannerAway({ cause })
      })
    })
  )

const answerOf = (socket: ReturnType<typeof connect>): Promise<string> => {
  const { promise, reject, resolve } = Promise.withResolvers<string>()
  let answer = ""
  socket.setEncoding("utf8")
  socket.on("data", (text: string) => {
    answer += text
  })
  socket.on("end", () => resolve(answer))
  socket.on("error", reject)
  socket.on("close", () => reject(new Error("clamd has closed the connection")))
  // It may fail before something waits for it.
  promise.catch(() => undefined)
  return promise
}

const lengthOf = (size: number): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(size)
  return length
}
