internal import Foundation
internal import LuaRuntime
internal import Modeling

/// A type word such as `String`: in a model declaration an attribute, elsewhere a constructor of values.
///
///     code = String { unique = true }     magnitude = Double     Date "2024-01-22"     Decimal "1.10"
final class TypeWord: Bound {
  static let luaName = "type"
  var place: String { name }

  let name: String
  let type: AttributeType
  private let usage: String
  private let help: String
  private let example: String

  private init(_ name: String, _ type: AttributeType, _ usage: String, _ help: String, example: String) {
    self.name = name
    self.type = type
    self.usage = usage
    self.help = help
    self.example = example
  }

  func summary() -> String { name }

  /// All type words; to add one, add it here and its values in `makeValue`.
  static var all: [TypeWord] {
    [
      TypeWord(
        "Integer16", .integer16, "Integer16 { ... }", "An integer attribute of 16 bits.",
        example: "Integer16 { min = 0 }"),
      TypeWord(
        "Integer32", .integer32, "Integer32 { ... }", "An integer attribute of 32 bits.",
        example: "Integer32 { min = 0 }"),
      TypeWord(
        "Integer64", .integer64, "Integer64 { ... }", "An integer attribute of 64 bits.",
        example: "Integer64 { min = 0 }"),
      TypeWord(
        "Int", .integer64, "Int { ... } | Int(value)",
        "An integer attribute of 64 bits; or the integer that a text or number is.", example: #"Int "42""#),
      TypeWord(
        "Decimal", .decimal, "Decimal { ... } | Decimal \"1.10\"",
        "An attribute of exact decimal digits; or such a number.", example: #"Decimal "1.10" + 1"#),
      TypeWord(
        "Double", .double, "Double { ... } | Double(value)",
        "A floating-point attribute; or the float that a text or number is.", example: #"Double "1.5""#),
      TypeWord(
        "Float", .float, "Float { ... }", "A floating-point attribute of single range.", example: "Float { min = 0 }"),
      TypeWord(
        "String", .string, "String { ... } | String(value)", "A text attribute; or the text of a value.",
        example: "String { optional = false, maxLength = 80 }"),
      TypeWord("Bool", .boolean, "Bool { ... }", "A true-or-false attribute.", example: "Bool { default = false }"),
      TypeWord(
        "Date", .date, "Date { ... } | Date() | Date(seconds) | Date \"2024-01-22T16:26:12Z\"",
        "An attribute of instants; or the present, or an instant.", example: #"Date "2024-01-22T16:26:12Z" + 3600"#),
      TypeWord(
        "UUID", .uuid, "UUID { ... } | UUID() | UUID \"...\"",
        "An attribute of UUIDs; or a new one, or one read from text.", example: "UUID()"),
      TypeWord(
        "URL", .url, "URL { ... } | URL \"...\"", "An attribute of URLs; or one checked.",
        example: #"URL "https://example.org""#),
      TypeWord(
        "Data", .data, "Data { ... } | Data \"bytes\"", "An attribute of bytes; or bytes.", example: #"Data "bytes""#),
      TypeWord(
        "Transformable", .transformable, "Transformable { ... }", "An attribute of any JSON value.",
        example: "Transformable {}"),
      TypeWord(
        "Composite", .composite, "Composite { name = type, ... }", "An attribute of named elements.",
        example: "Composite { latitude = Double, longitude = Double }"),
    ]
  }

  static var globalEntries: [CatalogEntry] {
    all.map {
      CatalogEntry(
        kind: .function, owner: "", name: $0.name, signature: $0.usage, summary: $0.help, example: $0.example)
    }
  }
}

extension TypeWord {
  static func luaClass(of engine: Engine) -> LuaClass<TypeWord> {
    engine.classes.make(TypeWord.self) { definition in
      definition.call { [unowned engine] word, stack in
        // The word itself is at 1, in the place of self.
        let call = Call(engine: engine, stack: stack, owner: nil, name: word.name)
        if call.type(1) == .table {
          engine.classes.push(try AttributeDraft(word, options: call), on: stack)
        } else {
          try word.pushValue(call)
        }
        return 1
      }
    }
  }
}

extension TypeWord {
  /// Pushes the value that the word constructs from its argument.
  private func pushValue(_ call: Call) throws {
    let values = call.engine.values
    try call.refuseMore(than: 1)
    switch type {
    case .date where call.count == 0: return values.push(.date(.now), on: call.stack)
    case .uuid where call.count == 0: return values.push(.uuid(.random()), on: call.stack)
    case .date: return values.push(.date(try date(call)), on: call.stack)
    case .decimal: return values.push(.decimal(try decimal(call)), on: call.stack)
    case .string:
      let text = try call.stack.toDisplayString(at: call.index(1))
      return call.stack.push(text)
    case .integer64, .double:
      return values.push(try number(call), on: call.stack)
    case .data, .url, .uuid:
      guard call.type(1) == .string, let value = call.stack.text(at: call.index(1)) else {
        throw call.expected("a string", 1)
      }
      if type == .data, case .data = value { return values.push(value, on: call.stack) }
      do { return values.push(try Attribute("value", type).coerce(value), on: call.stack) } catch {
        throw call.fail("\(value.shortText) is not a valid \(name)")
      }
    default: throw call.expected("a table of options; \(name) makes no values", 1)
    }
  }

  private func date(_ call: Call) throws -> Timestamp {
    if let seconds = call.stack.number(at: call.index(1)) {
      guard seconds.isFinite else { throw call.fail("\(seconds) is not a finite number of seconds") }
      return Timestamp(seconds)
    }
    if let known = call.engine.values.dates.payload(at: call.index(1), on: call.stack) { return Timestamp(known) }
    let text = try call.string(1, "seconds, or a string in ISO 8601")
    guard let instant = Timestamp(iso8601: text) else {
      throw call.fail("\"\(text)\" is not a date in ISO 8601, such as 2024-01-22T16:26:12Z")
    }
    return instant
  }

  private func decimal(_ call: Call) throws -> Decimal {
    if let number = call.engine.values.decimal(at: call.index(1), on: call.stack) { return number }
    let text = try call.string(1, "a string of digits, or a number")
    guard let number = Decimal(exactly: text) else {
      throw call.fail("\"\(text)\" is not a decimal number of at most 38 digits")
    }
    return number
  }

  private func number(_ call: Call) throws -> Value {
    let attribute = Attribute("value", type)
    if let decimal = call.engine.values.decimal(at: call.index(1), on: call.stack) {
      let value = call.stack.type(at: call.index(1)) == .number ? numberValue(call) : .decimal(decimal)
      if let number = try? attribute.coerce(value) { return number }
      throw call.fail("\(value.shortText) is not a valid \(name)")
    }
    let text = try call.string(1, "a number, or a string")
    if type == .double, let number = Double(text) { return .double(number) }
    if let number = Int64(text) { return .int(number) }
    throw call.fail("\"\(text)\" is not a valid \(name)")
  }

  private func numberValue(_ call: Call) -> Value {
    let index = call.index(1)
    if call.stack.isInteger(at: index) { return .int(call.stack.integer(at: index) ?? 0) }
    return .double(call.stack.number(at: index) ?? .nan)
  }
}

extension Catalog {
  /// The functions that declare an attribute of a model: `String`, `Date`.
  public static let attributeTypeNames = Set(TypeWord.all.map(\.name))
}
