/** What the members of the values mean that every area uses: amounts, durations, custom fields, pages. */
export const valueTerms = {
  amountPreFeesAndTaxes:
    "The net premium, before fees and taxes, in the minor unit of the currency.",
  fees: "The fees, each by itself.",
  totalFees: "The sum of the fees, in the minor unit of the currency.",
  amountWithFeesPreTaxes:
    "The net premium with fees, before taxes, in the minor unit of the currency.",
  taxes: "The taxes, each by itself.",
  totalTaxes: "The sum of the taxes, in the minor unit of the currency.",
  amountWithFeesAndTaxes:
    "All that is to be paid, with fees and taxes, in the minor unit of the currency.",
  "Fee.id": "The fee, by its identifier in the product.",
  "Fee.brokerageFirmId": "The brokerage firm that earns the fee; absent where it is no firm's.",
  "Fee.amount": "The fee, in the minor unit of the currency.",
  "Tax.id": "The tax, by its identifier in the product.",
  "Tax.amount": "The tax, in the minor unit of the currency.",
  chargeType:
    "How often it is charged: `ONE_TIME` once per policy, `SPOT` once per cause, `RECURRING` spread over the term.",
  currency: "The currency as a code of ISO 4217, such as `EUR`.",
  "Duration.amount": "How many of the unit, from 1; together at most ten years.",
  unit: "The unit on the calendar: a month is a month, never thirty days.",
  customFields: "Values of the fields that the product defines, each key once.",
  "CustomField.key": "The field, by its key in the product's configuration.",
  "CustomField.value":
    "The value: money in the minor unit of the currency, a day as `YYYY-MM-DD`, a choice by its identifier.",
  "CustomFieldPatch.key": "The field, by its key in the product's configuration.",
  "CustomFieldPatch.value": "The new value, as in a custom field; `null` removes the value.",
  data: "The items of this page.",
  pageInfo: "Whether this page is the first or the last one.",
  "pageInfo.first": "Whether this is the first page.",
  "pageInfo.last": "Whether no page follows.",
  totalCount: "How many items there are on all pages.",
  currentPage: "The number of this page, from 1.",
  totalPages: "How many pages there are.",
  createdAt: "When the record was made, in UTC.",
  lastModifiedAt: "When the record was last changed, in UTC."
}
