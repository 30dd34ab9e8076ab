/** What a browser is called, from what it sends: for a person to know their own again, and no more. */

/** The first that fits: most browsers also name those that they descend from. */
const browsers: ReadonlyArray<readonly [name: string, token: RegExp]> = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//u],
  ["Opera", /\b(?:OPR|Opera)\//u],
  ["Samsung Internet", /\bSamsungBrowser\//u],
  ["Firefox", /\b(?:Firefox|FxiOS)\//u],
  ["Chrome", /\b(?:Chrome|CriOS|Chromium)\//u],
  ["Safari", /\bSafari\//u]
]

const systems: ReadonlyArray<readonly [name: string, token: RegExp]> = [
  ["Android", /\bAndroid\b/u],
  ["iPhone", /\biPhone\b/u],
  ["iPad", /\biPad\b/u],
  ["Windows", /\bWindows\b/u],
  ["ChromeOS", /\bCrOS\b/u],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/u],
  ["Linux", /\bLinux\b/u]
]

/** Characters that are looked at; browsers send fewer. */
const longest = 512

/** The browser and its system, such as `Firefox on Linux`; `undefined` where neither is known. */
export const of = (userAgent: string): string | undefined => {
  const text = userAgent.slice(0, longest)
  const [browser, system] = [browsers, systems].map(
    (names) => names.find(([, token]) => token.test(text))?.[0]
  )
  if (browser === undefined) return system
  return system === undefined ? browser : `${browser} on ${system}`
}
