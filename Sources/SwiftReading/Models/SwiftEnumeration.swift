package import Modeling
internal import Queries
internal import SwiftParsing

/// An enumeration as it is declared in Swift, beside the composite in which a store keeps it.
///
/// Stores keep the values of the cases and not their names, so the declaration goes with the attribute, in its user info.
package struct SwiftEnumeration: Hashable {
  /// The key of the declaration in the user info of an attribute.
  package static let userInfoKey = "SwiftDeclaration"

  /// A case: its name, and the source behind it: ` = "shut"`, `(to: Place)`.
  package struct Case: Hashable {
    package var name: String
    package var rest = ""
    /// Its raw value; null where it has none.
    package var value = Value.null
  }

  package var name: String
  /// The type of the raw values; nil for cases without.
  package var rawType: String?
  package var cases: [Case]

  /// The enumeration that the user info of a composite declares; nil where it declares none, or not this one.
  package init?(of attribute: Attribute) {
    guard attribute.type == .composite, let text = attribute.userInfo[Self.userInfoKey] else { return nil }
    var parser = SwiftParser(text)
    let statements = parser.parse()
    guard parser.issues.found.isEmpty, statements.count == 1, case .type(let type) = statements[0].kind,
      type.keyword == "enum", let read = SwiftEnumeration(type, parser.bytes, SourceConstants()), read.fits(attribute),
      read.text == text
    else { return nil }
    self = read
  }

  /// The enumeration that a type of a text declares; nil where its cases cannot be stored.
  init?(_ type: SwiftTypeDeclaration, _ bytes: [UInt8], _ constants: SourceConstants) {
    func source(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    name = type.name
    let raw = type.inherited.first { SwiftDataModelReader.scalarType($0.name) != nil }
    rawType = raw?.name
    let isText = raw.flatMap { SwiftDataModelReader.scalarType($0.name)?.isTextual } ?? false
    cases = []
    var next: Int64 = 0
    for statement in type.statements {
      guard case .enumerationCase(let name, let written, let carriesValues) = statement.kind else { continue }
      let whole = source(statement.range).drop { $0 == "`" }.dropFirst(name.count).drop { $0 == "`" }
      let words = Self.line(String(whole))
      var found = Case(name: name, rest: (words.hasPrefix("=") ? " " : "") + words)
      if rawType != nil {
        guard !carriesValues else { return nil }
        found.value = written.flatMap { constants.value(of: $0) } ?? (isText ? .string(name) : .int(next))
        if case .int(let number) = found.value { next = number +| 1 }
      }
      cases.append(found)
    }
    guard !cases.isEmpty, Set(cases.map(\.name)).count == cases.count else { return nil }
  }

  /// A piece of source in one line, without its comments.
  private static func line(_ source: String) -> String {
    var lexer = SwiftLexer(source)
    var line = ""
    for token in lexer.tokenize().dropLast() {
      let isTight = token.touchesPrevious || line.isEmpty || line.hasSuffix("(") || line.hasSuffix("[")
      line += (isTight ? "" : " ") + lexer.slice(token.range)
    }
    return line
  }

  /// The declaration. Reading it and printing it again gives the same.
  package var text: String {
    let lines = cases.map { "  case \(SwiftNames.identifier($0.name))\($0.rest)" }
    let inherited = [rawType, "Codable"].compactMap(\.self).joined(separator: ", ")
    return "enum \(SwiftNames.identifier(name)): \(inherited) {\n\(lines.joined(separator: "\n"))\n}"
  }

  /// Whether cases carry values, whose types are declared elsewhere.
  package var carriesValues: Bool { cases.contains { $0.rest.hasPrefix("(") } }

  /// The elements of the composite that keeps a property of the type: its raw value under the property's own name, or each
  /// case under that of the case.
  package func elements(of property: String, isOptional: Bool) -> [Attribute] {
    guard let rawType, let type = SwiftDataModelReader.scalarType(rawType) else {
      // The associated values of a case are encoded as a whole; other cases have none.
      return cases.map { Attribute($0.name, .transformable) }
    }
    var element = Attribute(property, type)
    element.isOptional = isOptional
    let condition = Predicate.comparing(.object, .in, .constant(.list(cases.map(\.value))))
    element.validationPredicates = [ValidationPredicate(condition.format)]
    return [element]
  }

  /// The value of the composite for a case; nil for one that is not there, or carries values.
  func value(ofCase name: String, property: String) -> Value? {
    guard let found = cases.first(where: { $0.name == name }) else { return nil }
    if rawType != nil { return JSON(found.value).map { .json(.object([property: $0])) } }
    return found.rest.isEmpty ? .json(.object([name: .object([:])])) : nil
  }

  /// The case of a value of the composite; nil where none has it.
  package func caseName(of value: Value, property: String) -> String? {
    cases.first { self.value(ofCase: $0.name, property: property) == value }?.name
  }

  /// Whether the composite has the elements that the declaration gives.
  private func fits(_ attribute: Attribute) -> Bool {
    func shape(_ elements: [Attribute]) -> [String] { elements.map { "\($0.name) \($0.type.rawValue)" } }
    return shape(attribute.elements) == shape(elements(of: attribute.name, isOptional: false))
  }
}
