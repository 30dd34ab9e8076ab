/** Changes and shares in per cent, as people read them. */

/** Hundredths of a per cent as a change, `+3.21 %`; `places` is how many decimals it has at least. */
export const change = (basisPoints: number, locale: string, places = 2): string =>
  new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: places,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero"
  }).format(basisPoints / 10_000)

/** A part of a whole that is not 0. */
export const share = (part: number, whole: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1
  }).format(part / whole)
