/** A file with one empty page, by hand: the places of its objects are counted. */
export const emptyPdf = (() => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>"
  ]
  let text = "%PDF-1.7\n"
  const places = objects.map((object, index) => {
    const place = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${place.toString().padStart(10, "0")} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 4\n0000000000 65535 f \n${places.join("")}`
  text += `trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, "latin1")
})()
