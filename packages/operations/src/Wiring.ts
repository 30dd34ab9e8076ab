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
const dueItems = Layer.effect(
  DueItemHandlers,
  Effect.gen(function* () {
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
).pipe(
  Layer.provide([
    DebitAnnouncing.layer,
    FileRuns.layer,
    FileDelivery.layer,
    DebitSettling.layer,
    BankReports.layer,
    RefundWatch.layer,
    SignatureExpiry.layer,
    SignerReminding.layer,
    EndedRetention.layer
  ])
)

/** What banks tell of payouts and of debits. */
const ownPayments = Layer.effect(
  OwnPayments,
  Effect.gen(function* () {
    return heardByKind(yield* OwnPayouts, yield* OwnDebits)
  })
).pipe(Layer.provide([OwnPayouts.layer, OwnDebits.layer]))

export const layer = Layer.mergeAll(dueItems, ownPayments).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.provideMerge(
        FollowUps.layer,
        Layer.mergeAll(DebitPlanning.layer, layerMandateEnds, layerOpenSignatures)
      ),
      Targets.layer
    )
  )
)
