internal import Modeling

/// The members of a message; one that is missing or of another type is nil.
struct Fields {
  private let members: [String: JSON]

  init(_ members: [String: JSON]) { self.members = members }

  func text(_ name: String) -> String? { if case .string(let text)? = members[name] { text } else { nil } }

  func integer(_ name: String) -> Int64? { if case .int(let number)? = members[name] { number } else { nil } }

  func flag(_ name: String) -> Bool { members[name] == .bool(true) }

  func list(_ name: String) -> [JSON] { if case .array(let elements)? = members[name] { elements } else { [] } }

  /// A place in a text, in bytes; its end for one outside.
  func offset(in text: String) -> Int {
    let count = text.utf8.count
    guard let offset = integer("offset"), offset >= 0, offset <= Int64(count) else { return count }
    return Int(offset)
  }

  /// Bytes that were sent as numbers; others are left out.
  func bytes(_ name: String) -> [UInt8] {
    list(name).compactMap { if case .int(let number) = $0 { UInt8(exactly: number) } else { nil } }
  }

  /// A height that a window can have.
  var height: Int? { integer("height").map { Int(min(max($0, 1), 10_000)) } }

  /// A width that a window can have.
  var width: Int? { integer("width").map { Int(min(max($0, 10), 10_000)) } }
}

extension JSON {
  /// Bytes as numbers.
  static func bytes(_ bytes: [UInt8]) -> JSON { .array(bytes.map { .int(Int64($0)) }) }
}
