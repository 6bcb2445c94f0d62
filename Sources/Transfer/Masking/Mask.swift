package import Modeling

/// How the values of an attribute are replaced. Nil stays nil.
package enum Mask {
  /// Letters and digits become others of their kind; numbers keep their digits' count.
  case text
  /// Each word by itself, in upper and lower case alike.
  case name
  /// As a text, with zeros at the beginning kept.
  case phone
  /// An address that no mail reaches.
  case email
  case uuid
  /// A hash in hexadecimal digits, or of 16 bytes.
  case hash
  case null
  /// A number within some percent.
  case number(percent: Double)
  /// A date within some days, at the same time of the day.
  case date(days: Int)
  /// What a function returns for the value and its object.
  case function((Value, ObjectID) throws -> Value)

  /// The words by which masks are named.
  package static let words = ["text", "name", "phone", "email", "uuid", "hash", "nil", "number", "date"]

  /// Reads the name of a mask, as `email` or `number:5`, which is 5 percent, or `date:7`, which is 7 days.
  ///
  /// - Throws: `.unknownMask`.
  package init(_ text: String) throws(CopyError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let amount = parts.count > 1 ? Double(parts[1]) : nil
    if parts.count > 1 {
      guard let amount, amount > 0, amount <= 100_000, ["number", "date"].contains(parts[0]) else {
        throw .unknownMask(text, nearest: nil)
      }
    }
    switch parts[0] {
    case "text": self = .text
    case "name": self = .name
    case "phone": self = .phone
    case "email": self = .email
    case "uuid": self = .uuid
    case "hash": self = .hash
    case "nil": self = .null
    case "number": self = .number(percent: amount ?? 10)
    case "date":
      guard amount.map({ $0 == $0.rounded() }) ?? true else { throw .unknownMask(text, nearest: nil) }
      self = .date(days: Int(amount ?? 30))
    default: throw .unknownMask(text, nearest: nearestName(to: parts[0], in: Self.words))
    }
  }

  /// The name, as `init` reads it.
  var name: String {
    switch self {
    case .text: "text"
    case .name: "name"
    case .phone: "phone"
    case .email: "email"
    case .uuid: "uuid"
    case .hash: "hash"
    case .null: "nil"
    case .number: "number"
    case .date: "date"
    case .function: "function"
    }
  }

  /// Whether different values get different masks, as far as chance allows.
  var keepsUniqueness: Bool {
    switch self {
    case .number, .date: false
    default: true
    }
  }

  /// Whether the mask of a mask is one more mask: those that break a rule are passed over until one keeps it.
  var canBeRepeated: Bool {
    switch self {
    case .text, .name, .phone, .email, .uuid, .hash: true
    default: false
    }
  }

  /// Whether values of a type can be masked so.
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .text: type.isTextual || type.integerRange != nil || [.uuid, .transformable, .composite, .any].contains(type)
    case .phone: type.isTextual || type.integerRange != nil || type == .any
    case .name, .email: type == .string || type == .any
    case .uuid: [.uuid, .string, .any].contains(type)
    case .hash: [.string, .data, .any].contains(type)
    case .number: type.isNumeric || type == .any
    case .date: type == .date
    case .null, .function: true
    }
  }
}

/// A mask with what it is for: `User.email`, or `*.email` for the attribute of this name in all entities.
package struct MaskRule {
  package let path: String
  package let mask: Mask

  package init(_ path: String, _ mask: Mask) { (self.path, self.mask) = (path, mask) }
}
