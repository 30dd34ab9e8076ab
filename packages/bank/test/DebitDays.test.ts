import { assert, describe, it } from "@effect/vitest"
import { Draw } from "@quittance/testing/Draw"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { addDays, LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, TimeZone } from "@quittance/domain/values/TimeZone"
import {
  debitDays,
  fileMadeAt,
  firstSubmission,
  lastSubmission,
  outcomeAwaitedUntil,
  settledAt
} from "../src/DebitDays.ts"
import { addTargetDays, firstOpen, isOpen } from "../src/Target.ts"

const day = (text: string) => LocalDate.make(text)
const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const paris = TimeZone.make("Europe/Paris")
const bank = { profile: { cutOff: "15:00", leadDays: 2 }, timeZone: paris } as const

describe("the days of a debit", () => {
  it("skip weekends and Easter, and never shorten the notification", () => {
    const terms = {
      dueOn: day("2026-04-01"),
      notifiedOn: day("2026-03-20"),
      notificationDays: 14
    }
    // 3 April is Good Friday, so that the first open day is 7 April, and two open days before is 1 April.
    assert.deepStrictEqual(debitDays(terms, bank, at("2026-03-20T09:00:00Z")), {
      earliest: day("2026-04-03"),
      submitOn: day("2026-04-01"),
      collectOn: day("2026-04-07")
    })
  })

  it("move on once the cut-off has passed, by the clock of the account", () => {
    const terms = { dueOn: day("2026-03-12"), notifiedOn: day("2026-02-20"), notificationDays: 14 }
    // In Paris it is 14:59:59 and 15:00.
    const before = debitDays(terms, bank, at("2026-03-10T13:59:59.999Z"))
    const after = debitDays(terms, bank, at("2026-03-10T14:00:00Z"))
    assert.deepStrictEqual(
      [before.submitOn, before.collectOn, after.submitOn, after.collectOn],
      ["2026-03-10", "2026-03-12", "2026-03-11", "2026-03-13"]
    )
  })

  it("are made an hour before the cut-off, and paid at midnight of the account", () => {
    assert.strictEqual(fileMadeAt(day("2026-07-01"), bank), at("2026-07-01T12:00:00Z"))
    assert.strictEqual(settledAt(day("2026-07-01"), bank), at("2026-06-30T22:00:00Z"))
    assert.strictEqual(outcomeAwaitedUntil(day("2026-12-24")), day("2027-01-04"))
  })

  it("keep every rule of the scheme, in 20,000 plans that were drawn", () => {
    for (let seed = 1; seed <= 20_000; seed++) {
      const draw = new Draw(seed)
      const timeZone = TimeZone.make(
        draw.pick(["Europe/Paris", "Europe/Lisbon", "Pacific/Auckland", "America/New_York"])
      )
      const profile = {
        leadDays: draw.int(1, 10),
        cutOff: `${String(draw.int(0, 23)).padStart(2, "0")}:${String(draw.int(0, 59)).padStart(2, "0")}`
      }
      const own = { profile, timeZone }
      const now = at(`${draw.day(2025, 2040)}T00:00:00Z`)
      const moment = fromEpochMillis(Date.parse(now) + draw.int(0, 86_399_999))
      const today = localDate(moment, timeZone)
      const notificationDays = draw.int(1, 90)
      const terms = {
        dueOn: addDays(today, draw.int(-60, 120)),
        notifiedOn: addDays(today, draw.int(-20, 20)),
        notificationDays,
        ...(draw.chance(0.3) ? { askedFor: addDays(today, draw.int(-10, 90)) } : {})
      }
      const { collectOn, earliest, submitOn } = debitDays(terms, own, moment)
      // The payer's rules.
      assert.isTrue(collectOn >= terms.dueOn)
      assert.isTrue(collectOn >= addDays(terms.notifiedOn, notificationDays))
      if (terms.askedFor !== undefined) assert.isTrue(collectOn >= terms.askedFor)
      // The banks' rules.
      assert.isTrue(isOpen(submitOn) && isOpen(collectOn))
      assert.isTrue(submitOn <= addTargetDays(collectOn, -profile.leadDays))
      assert.isTrue(moment < lastSubmission(collectOn, own))
      assert.isTrue(submitOn >= firstSubmission(own, moment))
      // No later than needed: the first open day that both allow.
      const first = firstOpen(earliest)
      const soonest = addTargetDays(firstSubmission(own, moment), profile.leadDays)
      assert.strictEqual(collectOn, max(first, soonest))
      // The file is made before it is handed in, and money counts as paid on its day alone.
      assert.isTrue(fileMadeAt(submitOn, own) < lastSubmission(collectOn, own))
      assert.strictEqual(localDate(settledAt(collectOn, own), timeZone), collectOn)
    }
  })
})
