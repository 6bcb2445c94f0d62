/// The text between two quotes, with the quotes within it doubled, as names and texts are in SQL; `doubling` doubles other
/// scalars as well.
///
/// By scalars: a quote and the accent after it are one `Character`, which is no quote.
package func quoted(_ text: String, by quote: Unicode.Scalar, doubling others: Unicode.Scalar...) -> String {
  var result = String(quote)
  for scalar in text.unicodeScalars {
    result.unicodeScalars.append(scalar)
    if scalar == quote || others.contains(scalar) { result.unicodeScalars.append(scalar) }
  }
  result.unicodeScalars.append(quote)
  return result
}
