/** `quittance listen`: what happens in a tenant, sent to a program on this machine or printed. */
import * as StandardWebhook from "@quittance/auth/StandardWebhook"
import { type Event, EventId, eventText } from "@quittance/domain/events/Event"
import { TypePattern } from "@quittance/domain/events/EventFilter"
import { TenantId } from "@quittance/domain/requests/Tenancy"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Console, Effect, Layer, Option, Redacted, Ref, Runtime, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import * as Feed from "./listen/Feed.ts"
import * as Forwarding from "./listen/Forwarding.ts"
import * as Listening from "./listen/Listening.ts"
import * as LocalHttpClient from "./LocalHttpClient.ts"
import { asProblems, problem } from "./Problem.ts"
import { Tokens } from "./Tokens.ts"

const Address = Schema.String.check(
  Schema.makeFilter((text) => /^https?:$/u.test(URL.parse(text)?.protocol ?? ""), {
    message: "Expected an address, such as http://localhost:3000/hooks"
  })
)

const Secret = Schema.String.check(
  Schema.makeFilter(StandardWebhook.isSecret, {
    message: "Expected whsec_ and 24 to 64 bytes in base64, as an earlier run has printed it"
  })
)

/** A receiver refused some of the events; the lines that are printed already say which. */
export class SomeRefused extends Schema.TaggedError<SomeRefused>()("SomeRefused", {}) {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = 2
}

const flags = {
  tenant: Flag.String("tenant").pipe(
    Flag.withAlias("t"),
    Flag.withDescription("The tenant whose events are read"),
    Flag.withSchema(TenantId)
  ),
  forward: Flag.String("forward").pipe(
    Flag.withDescription(
      "The address that each event is sent to, such as http://localhost:3000/hooks"
    ),
    Flag.withSchema(Address),
    Flag.optional
  ),
  print: Flag.Boolean("print").pipe(
    Flag.withDescription("Print each event as a line of JSON, and send none"),
    Flag.withDefault(false)
  ),
  types: Flag.String("types").pipe(
    Flag.withDescription("A type or a pattern, such as invoice.*; may be given again. All without"),
    Flag.withSchema(TypePattern),
    Flag.atLeast(1),
    Flag.withDefault([])
  ),
  after: Flag.Int("after").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
    Flag.withDescription(
      "The position after which to begin; 0 begins with the first event. The present without"
    ),
    Flag.optional
  ),
  replay: Flag.String("replay").pipe(
    Flag.withDescription("One event, by its identifier: it is sent again, and nothing else"),
    Flag.withSchema(EventId),
    Flag.optional
  ),
  client: Flag.String("client").pipe(
    Flag.withDescription("The client that reads, with platform/admin; the sandbox's without"),
    Flag.optional
  ),
  clientSecret: Flag.Redacted("client-secret").pipe(
    Flag.withDescription("The client's secret; that of the sandbox's client without"),
    Flag.optional
  ),
  secret: Flag.String("secret").pipe(
    Flag.withDescription("The secret that signs, of an earlier run; a new one without"),
    Flag.withSchema(Secret),
    Flag.optional
  ),
  exitAfter: Flag.Int("exit-after").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Flag.withDescription("It ends after so many events, with 2 where one was refused; for scripts"),
    Flag.optional
  )
}

const shown = (event: Event, position: number | undefined, { millis, status }: Forwarding.Called) =>
  `${String(position ?? "replay").padStart(8)}  ${event.type.padEnd(30)} ${event.subject.padEnd(36)} ${status} ${millis} ms`

/** What is not part of the output, so that a program may read that. */
const say = (line: string) => Console.error(line)

const layer = Layer.provideMerge(
  Layer.mergeAll(Tokens.layer, SecureRandom.layerWebCrypto),
  Layer.merge(Issuers.layer, LocalHttpClient.layer)
)

export const listenCommand = Command.make(
  "listen",
  flags,
  Effect.fn(
    function* (input) {
      const { print, tenant, types } = input
      const url = Option.getOrUndefined(input.forward)
      if ((url === undefined) !== print) {
        return yield* problem("Say where events go: --forward ADDRESS, or --print to read along.")
      }
      const id = Option.getOrElse(input.client, () => `${tenant}-admin`)
      const ofSandbox = () => Redacted.make(`${id}-secret`)
      const feed = yield* Feed.make({
        tenant,
        id,
        secret: Option.getOrElse(input.clientSecret, ofSandbox),
        types,
        say
      })
      const random = yield* SecureRandom.SecureRandom
      const secret = Option.isSome(input.secret)
        ? input.secret.value
        : StandardWebhook.secretOf(yield* random.randomBytes(StandardWebhook.secretBytes))
      if (url !== undefined) yield* Console.log(`Signed with ${secret}`)

      const refused = yield* Ref.make(0)
      const tell = Effect.fnUntraced(function* (event: Event, position?: number) {
        if (url === undefined) return yield* Console.log(eventText(event))
        const isReplay = position === undefined
        const called = yield* Forwarding.send(event, { url, secret, isReplay, say })
        if (called.status < 200 || called.status > 299) yield* Ref.update(refused, (n) => n + 1)
        yield* Console.log(shown(event, position, called))
      })

      if (Option.isSome(input.replay)) {
        yield* tell(yield* feed.get(input.replay.value))
      } else {
        const reached = yield* Ref.make<number | undefined>(undefined)
        const listening = {
          after: Option.getOrUndefined(input.after),
          exitAfter: Option.getOrUndefined(input.exitAfter),
          feed: feed.page,
          tell,
          say
        }
        const ended = Effect.flatMap(Ref.get(reached), (position) =>
          position === undefined
            ? Effect.void
            : say(`Done up to position ${position}: go on with --after ${position}`)
        )
        yield* Effect.ensuring(Listening.run(listening, reached), ended)
      }
      if ((yield* Ref.get(refused)) > 0) return yield* new SomeRefused()
    },
    Effect.provide(layer),
    Effect.catchIf(
      (error) => error._tag !== "SomeRefused",
      (error) => asProblems(Effect.fail(error))
    )
  )
).pipe(
  Command.withDescription("Send what happens in a tenant to a program on this machine, signed"),
  Command.withExamples([
    {
      command: "quittance listen --tenant acme --forward http://localhost:3000/hooks",
      description: "From now on, in order per subject; Ctrl+C ends it with the last position"
    },
    {
      command: "quittance listen --tenant acme --print --types 'invoice.*' --after 0",
      description: "What has happened to invoices so far, and what comes"
    }
  ])
)
