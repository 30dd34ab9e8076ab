/** Easter, from which the movable holidays are counted. */
import { civilToEpochDay } from "./LocalDate.ts"

const easters = new Map<number, number>()

/** The epoch day of Easter Sunday in the Gregorian calendar (Oudin, 1940). */
export const easterSunday = (year: number): number => {
  const known = easters.get(year)
  if (known !== undefined) return known
  const golden = year % 19
  const century = Math.floor(year / 100)
  const leapCenturies = Math.floor(century / 4)
  const moon = century - leapCenturies - Math.floor((8 * century + 13) / 25)
  const epact = (moon + 19 * golden + 15) % 30
  const isLate = Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11)
  const fullMoon = epact - Math.floor(epact / 28) * (1 - isLate)
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + leapCenturies) % 7
  const fromMarch28 = fullMoon - weekday
  const month = 3 + Math.floor((fromMarch28 + 40) / 44)
  const epochDay = civilToEpochDay(year, month, fromMarch28 + 28 - 31 * Math.floor(month / 4))
  easters.set(year, epochDay)
  return epochDay
}
