/** A digest of all prices that some seeds give; run alone, it prints it. */
import { createHash } from "node:crypto"
import { bytesOf } from "./Bytes.ts"
import { Draw } from "@quittance/testing/Draw"
import { randomInput } from "./RandomInput.ts"
import { randomProduct } from "./RandomProduct.ts"
import { products } from "./Shipped.ts"

export const digest = (): string => {
  const hash = createHash("sha256")
  for (let seed = 0; seed < 150; seed++) {
    const draw = new Draw(seed)
    const product = draw.chance(0.3) ? draw.pick(products) : randomProduct(draw)
    hash.update(bytesOf(product, randomInput(draw, product, draw.pick([0, 0.1]))))
  }
  return hash.digest("hex")
}

if (import.meta.main) process.stdout.write(digest())
