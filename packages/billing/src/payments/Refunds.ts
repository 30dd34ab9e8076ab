/** Which credit balance a refund pays back, and how much of it there is. */
import { Result } from "effect"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { InvalidAmount, InvalidReference } from "@quittance/domain/requests/RequestErrors"

/**
 * Whose balance an amount is paid back of: the customer who is named, else the only one with a balance.
 * Never more than there is.
 *
 * @param balances what the policy owes each of its payers, in minor units
 */
export const refundable = (
  balances: ReadonlyMap<CustomerId, number>,
  amount: number,
  named: CustomerId | undefined
): Result.Result<CustomerId, InvalidAmount | InvalidReference> => {
  const creditors = [...balances].flatMap(([customerId, balance]) =>
    balance > 0 ? [customerId] : []
  )
  const unnamed = (value: string) =>
    new InvalidReference({
      field: "customerId",
      value,
      expected: "one of the customers with a credit balance on this policy"
    })
  if (named !== undefined && !balances.has(named)) return Result.fail(unnamed(named))
  if (named === undefined && creditors.length > 1) {
    return Result.fail(unnamed(creditors.join(", ")))
  }
  const customerId = named ?? creditors[0]
  const maximum = customerId === undefined ? 0 : Math.max(0, balances.get(customerId)!)
  return customerId === undefined || !(amount >= 1 && amount <= maximum)
    ? Result.fail(new InvalidAmount({ field: "amount", minimum: 1, maximum }))
    : Result.succeed(customerId)
}
