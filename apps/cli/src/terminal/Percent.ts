/** Changes and shares in per cent, as people read them. */
import { language } from "./Numbers.ts"

/** Hundredths of a per cent as a change, `+3.21%`; `places` is how many decimals it has at least. */
export const change = (basisPoints: number, places = 2): string =>
  new Intl.NumberFormat(language, {
    style: "percent",
    minimumFractionDigits: places,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero"
  }).format(basisPoints / 10_000)

/** A part of a whole that is not 0, `33.3%`. */
export const share = (part: number, whole: number): string =>
  new Intl.NumberFormat(language, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1
  }).format(part / whole)
