import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as PgTest from "@quittance/testing/PgTest"

const texts = Effect.fnUntraced(function* (text: string, word: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly text: string; readonly folded: string }>`
    SELECT search_text(NULL, ${text}) AS text, search_fold(${word}) AS folded
  `
  return row!
})

layer(PgTest.layer, { excludeTestServices: true })(
  "the text that a receivable is found by",
  (it) => {
    it.effect("has every word, also the parts of a compound one, without accents and case", () =>
      Effect.gen(function* () {
        const { text } = yield* texts("Éloïse  Le Cœur-Brisé eloise@Straße.test", "")
        assert.strictEqual(
          text,
          " eloise le coeur-brise eloise@strasse.test eloise le coeur brise eloise strasse test"
        )
      })
    )

    for (const [stored, word] of [
      ["ÅSA", "åsa"],
      ["Łódź", "LODZ"],
      ["ΑΘΉΝΑ", "αθηνα"],
      ["Ünal", "Unal"],
      ["ﬁnance", "finance"],
      ["Škoda", "s\u030ckoda"]
    ] as const) {
      it.effect(`finds ${stored} by ${word}`, () =>
        Effect.gen(function* () {
          const { folded, text } = yield* texts(stored, word)
          assert.include(text, ` ${folded}`)
        })
      )
    }

    it.effect("keeps apart what differs by more than accents", () =>
      Effect.gen(function* () {
        const { folded, text } = yield* texts("Dupont", "dupond")
        assert.notInclude(text, folded)
      })
    )
  }
)
