import Modeling
import Postgres

/// SQL with its arguments, which take numbers when the statement is complete.
///
///     let condition: PostgresSQL = "\(column: "t0", "magnitude") > \(.double(6))"
///     condition.text                          // "t0"."magnitude" > $1
struct PostgresSQL: ExpressibleByStringInterpolation {
  enum Segment {
    case text(String)
    case argument(PostgresArgument)
  }

  private(set) var segments: [Segment] = []

  init(stringLiteral text: String) { segments = [.text(text)] }
  init(stringInterpolation: Interpolation) { segments = stringInterpolation.segments }
  init(raw text: String) { segments = [.text(text)] }
  init(_ argument: PostgresArgument) { segments = [.argument(argument)] }

  /// The statement, its arguments as `$1`, `$2`, ...
  var text: String {
    var count = 0
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let part): text += part
      case .argument:
        count += 1
        text += "$\(count)"
      }
    }
    return text
  }

  /// The arguments, in the order of their numbers.
  var arguments: [PostgresArgument] {
    segments.compactMap { if case .argument(let argument) = $0 { argument } else { nil } }
  }

  static func + (left: PostgresSQL, right: PostgresSQL) -> PostgresSQL {
    var sum = left
    sum.segments += right.segments
    return sum
  }

  static func += (left: inout PostgresSQL, right: PostgresSQL) { left.segments += right.segments }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var segments: [Segment] = []

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { if !literal.isEmpty { segments.append(.text(literal)) } }
    mutating func appendInterpolation(_ sql: PostgresSQL) { segments += sql.segments }
    mutating func appendInterpolation(_ argument: PostgresArgument) { segments.append(.argument(argument)) }
    mutating func appendInterpolation(raw text: String) { segments.append(.text(text)) }
    mutating func appendInterpolation(name: String) { segments.append(.text(quoted(name))) }
    mutating func appendInterpolation(column alias: String, _ name: String) {
      segments.append(.text("\(alias).\(quoted(name))"))
    }
  }
}

extension Sequence<PostgresSQL> {
  /// The fragments with a text between each two.
  func joined(_ separator: String) -> PostgresSQL {
    var joined = PostgresSQL(raw: "")
    for (index, part) in enumerated() {
      if index > 0 { joined += PostgresSQL(raw: separator) }
      joined += part
    }
    return joined
  }
}

/// A name as the server keeps it: cut off after 63 bytes.
func kept(_ name: String) -> String {
  var name = name
  while name.utf8.count > 63 { name.unicodeScalars.removeLast() }
  return name
}

/// A name as an identifier of SQL.
func quoted(_ name: String) -> String { quoted(name, by: "\"") }
