/** What areas ask of those above them, put together for the programs: each provides it once. */
import * as Targets from "@quittance/persistence/targets"
import { Effect, Layer } from "effect"
import { DebitAnnouncing } from "./collections/DebitAnnouncing.ts"
import { layerMandateEnds } from "./collections/DebitCancelling.ts"
import { DebitSettling } from "./collections/DebitSettling.ts"
import { FileDelivery } from "./collections/FileDelivery.ts"
import { FileRuns } from "./collections/FileRuns.ts"
import * as DebitPlanning from "./collections/DebitPlanning.ts"
import { OwnDebits } from "./collections/OwnDebits.ts"
import { BankSimulation } from "./collections/BankSimulation.ts"
import { BankReports } from "./collections/BankReports.ts"
import { OwnPayouts } from "./payouts/OwnPayouts.ts"
import { heardByKind, OwnPayments } from "./treasury/OwnPayments.ts"
import { layerOpenSignatures, SignatureExpiry } from "./ceremonies/SignatureEnds.ts"
import { SignerReminding } from "./ceremonies/SignerTurns.ts"
import { DueItemHandlers } from "./tenants/DueItemHandlers.ts"
import { EndedRetention } from "./privacy/EndedRetention.ts"
import { RefundWatch } from "./withdrawals/RefundWatch.ts"
import * as FollowUps from "./worker/FollowUps.ts"

/** A new kind of record that falls due is a line here. */
const handlers = Effect.gen(function* () {
  return [
    (yield* DebitAnnouncing).handler,
    yield* FileRuns,
    (yield* FileDelivery).handler,
    yield* DebitSettling,
    yield* BankReports,
    yield* RefundWatch,
    yield* SignatureExpiry,
    yield* SignerReminding,
    yield* EndedRetention
  ]
})

const handlersBelow = Layer.mergeAll(
  DebitAnnouncing.layer,
  FileRuns.layer,
  FileDelivery.layer,
  DebitSettling.layer,
  BankReports.layer,
  RefundWatch.layer,
  SignatureExpiry.layer,
  SignerReminding.layer,
  EndedRetention.layer
)

const dueItems = Layer.effect(DueItemHandlers, handlers).pipe(Layer.provide(handlersBelow))

/** The bank of sandboxes has to read the files that it is given, with numbers of accounts. */
const dueItemsWithBank = Layer.effect(
  DueItemHandlers,
  Effect.gen(function* () {
    return [...(yield* handlers), yield* BankSimulation]
  })
).pipe(Layer.provide(Layer.merge(handlersBelow, BankSimulation.layer)))

/** What banks tell of payouts and of debits. */
const ownPayments = Layer.effect(
  OwnPayments,
  Effect.gen(function* () {
    return heardByKind(yield* OwnPayouts, yield* OwnDebits)
  })
).pipe(Layer.provide([OwnPayouts.layer, OwnDebits.layer]))

const below = Layer.mergeAll(
  Layer.provideMerge(
    FollowUps.layer,
    Layer.mergeAll(DebitPlanning.layer, layerMandateEnds, layerOpenSignatures)
  ),
  Targets.layer
)

export const layer = Layer.provideMerge(Layer.mergeAll(dueItems, ownPayments), below)

/** The same for programs that have the key of the service: there the simulated bank answers, too. */
export const layerWithBank = dueItemsWithBank.pipe(
  Layer.provideMerge(ownPayments),
  Layer.provideMerge(below)
)
