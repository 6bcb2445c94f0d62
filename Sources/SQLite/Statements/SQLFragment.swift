package import Modeling

/// A piece of SQL as a value: text segments, with the values to bind between them.
///
///     let condition: SQLFragment = "\(name: "place") = \(value: .string("O'Higgins"))"
///     condition.text        // place = ?
///     condition.arguments   // [.string("O'Higgins")]
///
/// Users' values are never part of the text; names of tables and columns are quoted if necessary.
package struct SQLFragment: Hashable, Sendable {
  /// A run of text, or a value to bind in its place.
  package enum Segment: Hashable, Sendable {
    case text(String)
    case argument(Value)
  }

  /// The segments; two texts never follow one another.
  package private(set) var segments: [Segment] = []

  /// Makes an empty fragment.
  package init() {}

  /// The value as a parameter.
  package init(value: Value) { segments = [.argument(value)] }

  /// A name of a table, column or alias.
  package init(name: String) { segments = [.text(quotedName(name))] }

  /// SQL written by this module, never by a user.
  package init(raw text: String) { append(text: text) }

  package var isEmpty: Bool { segments.isEmpty }

  /// The text for SQLite, with a question mark for each value.
  package var text: String {
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let part): text += part
      case .argument: text += "?"
      }
    }
    return text
  }

  /// The values for the question marks, in order.
  package var arguments: [Value] {
    segments.compactMap { if case .argument(let value) = $0 { value } else { nil } }
  }

  package mutating func append(_ other: SQLFragment) {
    for segment in other.segments {
      switch segment {
      case .text(let text): append(text: text)
      case .argument: segments.append(segment)
      }
    }
  }

  private mutating func append(text: String) {
    guard !text.isEmpty else { return }
    if case .text(let last) = segments.last {
      segments[segments.count - 1] = .text(last + text)
    } else {
      segments.append(.text(text))
    }
  }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  /// Literal SQL; only this module's source can write it.
  package init(stringLiteral text: String) { append(text: text) }

  package init(stringInterpolation interpolation: Interpolation) { self = interpolation.fragment }

  package struct Interpolation: StringInterpolationProtocol {
    package var fragment = SQLFragment()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { fragment.append(text: literal) }
    package mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }
    package mutating func appendInterpolation(value: Value) { fragment.append(SQLFragment(value: value)) }
    package mutating func appendInterpolation(name: String) { fragment.append(SQLFragment(name: name)) }
    package mutating func appendInterpolation(raw text: String) { fragment.append(text: text) }
  }
}

extension Sequence<SQLFragment> {
  /// The fragments with `separator` between them.
  package func joined(separator: String) -> SQLFragment {
    var result = SQLFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { result.append(SQLFragment(raw: separator)) }
      result.append(fragment)
    }
    return result
  }
}
