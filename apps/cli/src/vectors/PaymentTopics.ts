/** Topics of `packages/bank`, and of what billing and domain decide about debits. */
import { debitDays } from "@quittance/bank/DebitDays"
import { creditorReference, numberLetters, numberText } from "@quittance/bank/References"
import { sepaText } from "@quittance/bank/Sepa"
import { addTargetDays, firstOpen, isOpen } from "@quittance/bank/Target"
import { testIban } from "@quittance/bank/TestAccounts"
import { failureOf } from "@quittance/billing/collections/DebitFailures"
import { sequenceOf } from "@quittance/billing/collections/DebitSequence"
import { BankProfile } from "@quittance/domain/payments/BankAccount"
import { DebitStatus, wasCollected } from "@quittance/domain/payments/DebitLifecycle"
import { endsOn, MandateType } from "@quittance/domain/payments/Mandate"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { startOfDay, timeOfDay } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

/** The cases say only whether the cut-off of a day is past; any one and any zone will do. */
const cutOff = "15:00"
const timeZone = "Europe/Paris"

export const paymentTopics: ReadonlyArray<readonly [string, Topic]> = [
  ["target-day", topic(Schema.Struct({ date: LocalDate }), ({ date }) => ({ open: isOpen(date) }))],
  [
    "target-days",
    topic(Schema.Struct({ from: LocalDate, add: Schema.Int }), ({ add, from }) => ({
      date: addTargetDays(from, add)
    }))
  ],
  [
    "debit-plan",
    topic(
      Schema.Struct({
        dueOn: LocalDate,
        notifiedOn: LocalDate,
        notificationDays: Schema.Int,
        leadDays: BankProfile.fields.leadDays,
        askedFor: Schema.optionalKey(LocalDate),
        now: Schema.Struct({ on: LocalDate, beforeCutOff: Schema.Boolean })
      }),
      ({ leadDays, now: { beforeCutOff, on }, ...terms }) => {
        const now = beforeCutOff ? startOfDay(on, timeZone) : timeOfDay(on, cutOff, timeZone)
        const bank = { profile: { cutOff, leadDays }, timeZone }
        const { collectOn, submitOn } = debitDays(terms, bank, now)
        return { collectOn, submitOn }
      }
    )
  ],
  [
    "number",
    topic(
      Schema.Struct({ letters: Schema.Literals(numberLetters), number: Schema.Int }),
      ({ letters, number }) => ({ text: numberText(letters, number) })
    )
  ],
  [
    "creditor-reference",
    topic(Schema.Struct({ body: Schema.String }), ({ body }) => ({ text: creditorReference(body) }))
  ],
  [
    "mandate-ends",
    topic(
      Schema.Struct({
        signedOn: LocalDate,
        lastPresentedOn: Schema.optionalKey(Schema.NullOr(LocalDate))
      }),
      ({ lastPresentedOn, signedOn }) => ({
        endsOn: endsOn({ signedOn, lastPresentedOn: lastPresentedOn ?? undefined })
      })
    )
  ],
  [
    "sequence",
    topic(
      Schema.Struct({
        type: MandateType,
        policy: BankProfile.fields.sequence,
        history: Schema.Array(DebitStatus)
      }),
      ({ history, policy, type }) => ({ sequence: sequenceOf(type, policy, wasCollected(history)) })
    )
  ],
  [
    "retry",
    topic(
      Schema.Struct({
        reasonCode: Schema.String,
        attempts: Schema.Int,
        failedOn: LocalDate,
        maxAttempts: Schema.Int,
        afterDays: Schema.Int,
        payDay: Schema.optionalKey(Schema.Int)
      }),
      ({ attempts, failedOn, reasonCode, ...retry }) => {
        const debit = { status: "SUBMITTED", attempt: attempts } as const
        const failure = failureOf(debit, reasonCode, failedOn, retry)
        const from = failure?.retryFrom
        return {
          class: failure?.reasonClass ?? null,
          retryOn: from === undefined ? null : firstOpen(from)
        }
      }
    )
  ],
  [
    "sepa-text",
    topic(Schema.Struct({ text: Schema.String, max: Schema.Int }), ({ max, text }) => ({
      text: sepaText(text, max)
    }))
  ],
  [
    "test-account",
    topic(Schema.Struct({ account: Schema.String }), ({ account }) => ({ iban: testIban(account) }))
  ]
]
