internal import Modeling
internal import Presentation
internal import Queries

/// The line of Lua that makes the request of a predicate's screen.
///
///     Quake:where "magnitude > 5"
///     Quake:where(Predicate("time > $since"):bind { since = day }):sorted("-time")
package struct PredicateLine {
  package let text: String

  /// Writes the line for a predicate's text, or for all objects.
  package init(_ inquiry: PredicateInquiry, text predicate: String?) {
    let charset = inquiry.session.parts.console.layout.charset
    var line = inquiry.entity.name
    if let predicate {
      let literal = QuotedString.literal(Array(predicate.utf8), charset)
      if let values = inquiry.values {
        line += ":where(Predicate(\(literal)):bind \(values.text))"
      } else {
        line += ":where " + literal
      }
    } else {
      line += ":all()"
    }
    let keys = inquiry.sortDescriptors.map { descriptor in
      let key = (descriptor.isAscending ? "" : "-") + descriptor.expression.description
      return QuotedString.literal(Array(key.utf8), charset)
    }
    text = keys.isEmpty ? line : line + ":sorted(\(keys.joined(separator: ", ")))"
  }
}
