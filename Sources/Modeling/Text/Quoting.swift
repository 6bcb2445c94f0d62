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

/// A name of a table or column in double quotes, as SQL has it, with quotes in it doubled.
package func quoteIdentifier(_ name: String) -> String { quoted(name, by: "\"") }

/// A text as an SQL literal, for schemas and for display. Values of requests are always bound.
package func quoteText(_ text: String) -> String { quoted(text, by: "'") }
