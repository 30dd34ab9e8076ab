/** The only fonts that documents are set in: Noto Sans, under the SIL Open Font License, as bytes. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

const faces = ["400Regular", "400Regular_Italic", "700Bold", "700Bold_Italic"]

export const fonts = (): ReadonlyArray<Buffer> =>
  faces.map((face) =>
    readFileSync(require.resolve(`@expo-google-fonts/noto-sans/${face}/NotoSans_${face}.ttf`))
  )
