/**
 * The coefficient by which claims raise or lower a French motor premium: bonus-malus, by the clause of the annex to
 * art. A121-1 code des assurances. Coefficients are integers in hundredths: 100 is the 1.00 of a first contract.
 */
import { Schema } from "effect"

/** The lowest coefficient (art. 4 of the clause) and the highest (art. 5), in hundredths. */
const lowest = 50
const highest = 350

/** In hundredths: 50 to 350. */
export const Coefficient = Schema.Int.check(Schema.isBetween({ minimum: lowest, maximum: highest }))

/** `ROUNDS` are deliveries and sales trips, « Tournées » or « Tous Déplacements » in French contracts. */
export const VehicleUse = Schema.Literals(["ORDINARY", "ROUNDS"])
export type VehicleUse = typeof VehicleUse.Type

/** A guarantee of a motor contract that a claim calls on. */
export const MotorGuarantee = Schema.Literals([
  "LIABILITY",
  "DAMAGE",
  "THEFT",
  "FIRE",
  "GLASS",
  "NATURAL_DISASTER"
])
export type MotorGuarantee = typeof MotorGuarantee.Type

/** Why a claim is left out (art. 6 of the clause). */
export const LeftOutClaim = Schema.Literals([
  /** Driven without the owner's knowledge, by a person who doesn't live with them or a named driver. */
  "WITHOUT_KNOWLEDGE",
  /** An event that the insured did not cause, with the marks of force majeure. */
  "FORCE_MAJEURE",
  /** Caused wholly by the victim or by a third party. */
  "CAUSED_BY_OTHERS"
])

/** What a claim of an annual period says of its part in the coefficient. */
export const MotorClaim = Schema.Struct({
  /** The driver's share in the cause, in percent. */
  liability: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  /** All guarantees that it calls on. */
  guarantees: Schema.Array(MotorGuarantee),
  leftOut: Schema.optionalKey(LeftOutClaim)
})
export type MotorClaim = typeof MotorClaim.Type

/** What a claim adds: the whole rise, half of it, or nothing. */
export type Rise = "WHOLE" | "HALF" | "NONE"

/**
 * What a claim adds to the coefficient. A claim of theft, fire or glass alone adds nothing, and does not hinder the
 * reduction (art. 7). A parked vehicle that an unknown third party hit has no share in the cause, and adds nothing
 * either. A share between none and all adds half (art. 5).
 */
export const riseOf = ({ guarantees, leftOut, liability }: MotorClaim): Rise => {
  if (leftOut !== undefined || liability === 0) return "NONE"
  if (guarantees.length > 0 && guarantees.every((one) => withoutRise.has(one))) return "NONE"
  return liability < 100 ? "HALF" : "WHOLE"
}

const withoutRise: ReadonlySet<MotorGuarantee> = new Set(["THEFT", "FIRE", "GLASS"])

/** Where an insured stands between two annual periods. */
export interface BonusMalus {
  /** In hundredths, 50 to 350. */
  readonly coefficient: number
  /** Whole annual periods in a row at 0.50, up to the last one. */
  readonly yearsAtLowest: number
  /** Annual periods in a row without a claim that adds something, up to the last one. */
  readonly yearsWithoutClaim: number
}

/** One annual period: twelve months that end two months before the anniversary of the contract (art. 9). */
export interface InsuredYear {
  /** What each claim of the period adds, in the order in which they happened. */
  readonly rises: ReadonlyArray<Rise>
  readonly use: VehicleUse
  /** Whether the contract was interrupted or suspended for more than three months: nothing is taken off then (art. 9). */
  readonly isInterrupted: boolean
}

/** Years at 0.50 after which the first claim adds nothing (art. 4). */
const yearsToFreeClaim = 3

/** Years without a claim after which the coefficient is at most 1.00 (art. 5). */
const yearsToNeutral = 2

/**
 * The standing after an annual period. Without a claim 5 % are taken off (7 % for rounds), down to 0.50. Each claim
 * adds 25 % (20 %), or half of it, up to 3.50. Each step is cut to two decimals. The first claim after three years
 * at 0.50 adds nothing; the years are counted anew after it. After two years without a claim the coefficient is at
 * most 1.00.
 */
export const afterYear = (before: BonusMalus, year: InsuredYear): BonusMalus => {
  const rises = year.rises.filter((rise) => rise !== "NONE")
  if (rises.length === 0) return afterYearWithoutClaim(before, year)
  const isFirstFree = before.coefficient === lowest && before.yearsAtLowest >= yearsToFreeClaim
  const counted = isFirstFree ? rises.slice(1) : rises
  const coefficient = counted.reduce(
    (raised, rise) => times(raised, 1000 + added[year.use][rise]),
    before.coefficient
  )
  return { coefficient: Math.min(coefficient, highest), yearsAtLowest: 0, yearsWithoutClaim: 0 }
}

const afterYearWithoutClaim = (before: BonusMalus, year: InsuredYear): BonusMalus => {
  if (year.isInterrupted) return before
  const yearsWithoutClaim = before.yearsWithoutClaim + 1
  const reduced = Math.max(lowest, times(before.coefficient, 1000 - takenOff[year.use]))
  const isNeutral = yearsWithoutClaim >= yearsToNeutral
  return {
    coefficient: isNeutral ? Math.min(reduced, neutral) : reduced,
    yearsAtLowest: before.coefficient === lowest ? before.yearsAtLowest + 1 : 0,
    yearsWithoutClaim
  }
}

const neutral = 100

/** In thousandths of the coefficient. */
const takenOff: Readonly<Record<VehicleUse, number>> = { ORDINARY: 50, ROUNDS: 70 }
const added: Readonly<Record<VehicleUse, Readonly<Record<Exclude<Rise, "NONE">, number>>>> = {
  ORDINARY: { WHOLE: 250, HALF: 125 },
  ROUNDS: { WHOLE: 200, HALF: 100 }
}

/** Cut to hundredths (« arrondi par défaut »); integers throughout. */
const times = (coefficient: number, thousandths: number): number =>
  Math.floor((coefficient * thousandths) / 1000)
