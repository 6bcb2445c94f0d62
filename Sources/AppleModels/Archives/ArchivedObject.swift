internal import Modeling

/// An object of an archive: its class and its fields, read when they are asked for.
struct ArchivedObject {
  /// Seconds from 1970 to 2001, from where Foundation counts.
  static let referenceDate = 978_307_200.0

  private let fields: [String: Int]
  private let archive: KeyedArchive

  init(fields: [String: Int], in archive: KeyedArchive) {
    self.fields = fields
    self.archive = archive
  }

  /// The name of its class and of those it inherits from.
  var classes: [String] {
    guard case .object(let description) = self["$class"] else { return [] }
    guard case .list(let names)? = description.fields["$classes"].map(archive.field) else {
      return description.text("$classname").map { [$0] } ?? []
    }
    return names.compactMap { if case .value(.string(let name)) = $0 { name } else { nil } }
  }

  /// The name of its class.
  var className: String { classes.first ?? "" }

  /// Whether it is of the class or of one that inherits from it.
  func isKind(of name: String) -> Bool { classes.contains(name) }

  /// The property that it stands for, where it repeats one of an ancestor by reference; else itself.
  var described: ArchivedObject {
    isKind(of: "_NSPropertyDescriptionProxy") ? object("NSUnderlyingProperty") ?? self : self
  }

  /// The names of its fields, in order.
  var fieldNames: [String] { fields.keys.sorted() }

  /// Whether there is such a field.
  func has(_ name: String) -> Bool { fields[name] != nil }

  /// The content of a field, a reference followed.
  subscript(name: String) -> ArchivedContent {
    guard let index = fields[name] else { return .null }
    return followed(archive.field(index))
  }

  /// The reference that a field is.
  func reference(_ name: String) -> ArchiveReference? {
    guard let index = fields[name], case .reference(let reference) = archive.field(index) else { return nil }
    return reference
  }

  private func followed(_ content: ArchivedContent) -> ArchivedContent {
    if case .reference(let reference) = content { return archive.content(at: reference) }
    return content
  }

  /// The text in a field, plain or as an NSString that can be changed.
  func text(_ name: String) -> String? { Self.text(self[name]) }

  static func text(_ content: ArchivedContent) -> String? {
    switch content {
    case .value(.string(let text)): text
    case .object(let object): object.ownText
    default: nil
    }
  }

  /// The text of an NSString; nil for an NSString that holds another object.
  private var ownText: String? {
    if case .value(.string(let text)) = self["NS.string"] { text } else { nil }
  }

  /// The whole number in a field.
  func integer(_ name: String) -> Int64? {
    switch self[name] {
    case .value(.int(let number)): number
    case .value(.bool(let flag)): flag ? 1 : 0
    case .value(.double(let number)): Int64(exactly: number.rounded(.towardZero))
    default: nil
    }
  }

  /// Whether the flag in a field is set.
  func flag(_ name: String) -> Bool { integer(name) ?? 0 != 0 }

  /// The object in a field.
  func object(_ name: String) -> ArchivedObject? {
    if case .object(let object) = self[name] { object } else { nil }
  }

  /// The elements of the collection in a field, references followed.
  func elements(_ name: String) -> [ArchivedContent] { object(name)?.members ?? [] }

  /// The elements of the collection that it is: NSArray, NSSet or NSOrderedSet, references followed.
  var members: [ArchivedContent] { references.map(followed) }

  /// The same, references not followed.
  var references: [ArchivedContent] {
    if case .list(let elements)? = fields["NS.objects"].map(archive.field) { return elements }
    // NSOrderedSet, and collections of old, number their elements.
    var elements: [ArchivedContent] = []
    while let index = fields["NS.object.\(elements.count)"] { elements.append(archive.field(index)) }
    return elements
  }

  /// The keys and values of the dictionary that it is, or of the kind with known keys that models are cached in.
  var entries: [(key: ArchivedContent, value: ArchivedContent)] {
    if isKind(of: "NSKnownKeysDictionary"), let mapping = object("searchMapping") {
      let empty = text("emptyToken")
      let pairs = zip(mapping.elements("keys"), elements("values"))
      return pairs.filter { Self.text($0.1) == nil || Self.text($0.1) != empty }.map { (key: $0.0, value: $0.1) }
    }
    guard case .list(let keys)? = fields["NS.keys"].map(archive.field) else { return [] }
    return zip(keys, references).map { (key: followed($0), value: followed($1)) }
  }

  /// The texts of a dictionary; a value of another type is given as its JSON, if it has one.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in entries {
      guard let key = Self.text(key) else { continue }
      if let text = Self.text(value) {
        texts[key] = text
      } else if case .value(let value) = value {
        texts[key] = value.displayText
      }
    }
    return texts
  }
}
