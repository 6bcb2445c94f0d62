internal import Modeling
package import Presentation

/// How many objects fulfil a predicate, how many do not, and how many do neither, as far as they are counted.
package struct MatchCounts: Equatable {
  package var yes: Int?
  package var no: Int?
  package var total: Int?

  package init() {}

  /// Those of which the predicate compares something that is not there.
  var neither: Int? {
    guard let yes, let no, let total else { return nil }
    return max(total - yes - no, 0)
  }

  /// `270 yes · 1,549 no · 181 neither of 2,000`
  package func text(_ charset: Charset) -> String {
    guard let yes else { return "" }
    var parts = ["\(Quantity.grouped(yes)) yes"]
    if let no { parts.append("\(Quantity.grouped(no)) no") }
    if let neither { parts.append("\(Quantity.grouped(neither)) neither") }
    let text = parts.joined(separator: " \(charset.dot) ")
    return total.map { text + " of " + Quantity.grouped($0) } ?? text
  }
}
