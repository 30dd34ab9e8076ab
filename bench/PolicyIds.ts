/** Identifiers of policies that the benchmark and the processes around it count alike. */
const digits = "346789ABCD"

/** The n-th policy, in the alphabet of identifiers. */
export const policyIdOf = (n: number): string =>
  `policy_test_${[...String(n)]
    .map((digit) => digits[Number(digit)])
    .join("")
    .padStart(21, "E")}`

/** The same in SQL, of a column or expression that counts. */
export const suffixSql = (n: string, length = 21): string =>
  `lpad(translate(${n}::text, '0123456789', '${digits}'), ${length}, 'E')`
