internal import Modeling
internal import Queries
internal import SwiftParsing

extension SwiftDataModelReader {
  /// What a property of a type holds in a model.
  enum Content {
    case attribute(Attribute)
    case relationship(to: String, isToMany: Bool)
    /// Reported as a mistake.
    case nothing
  }

  /// The content of a type; `isForgiving` where a type that is not known is no mistake.
  mutating func content(
    of type: TypeSyntax, _ name: String, place: String, depth: Int = 0, isForgiving: Bool = false
  ) -> Content {
    switch type.name {
    case "Optional":
      guard let inner = type.arguments.first else { break }
      return content(of: inner, name, place: place, depth: depth, isForgiving: isForgiving)
    case "Array", "Set":
      guard let element = type.arguments.first else { break }
      if types[element.name]?.isModel == true { return .relationship(to: element.name, isToMany: true) }
      // Only a mistake within it matters.
      if case .nothing = content(of: element, name, place: place, depth: depth + 1, isForgiving: isForgiving) {
        return .nothing
      }
      return .attribute(json(name, type))
    case "Dictionary": return .attribute(json(name, type))
    default: break
    }
    if let declared = types[type.name] { return content(of: declared, type, name, place: place, depth: depth) }
    if let (known, isWider) = Self.scalars[type.name] {
      if isWider { note("\(place): \(type.name) is kept as \(known.swiftName)", at: type.range) }
      return .attribute(Attribute(name, known))
    }
    if Self.encodables.contains(type.name) {
      if !isForgiving { note("\(place): \(source(type.range)) is kept as JSON", at: type.range) }
      return .attribute(json(name, type))
    }
    if isPartial { return .attribute(Attribute(name, .any)) }
    if !isForgiving {
      let known = Array(types.keys) + Array(Self.scalars.keys)
      issues.report(.unknownType(type.name, nearest: nearestName(to: type.name, in: known)), at: type.range)
    }
    return .nothing
  }

  private mutating func content(
    of declared: SwiftTypeDeclaration, _ type: TypeSyntax, _ name: String, place: String, depth: Int
  ) -> Content {
    switch declared.keyword {
    case "class" where declared.isModel: return .relationship(to: declared.name, isToMany: false)
    case "struct": return composite(declared, name, place: place, depth: depth)
    case "enum":
      if let known = enumeration(declared, type, name) { return .attribute(known) }
      note("\(place): \(declared.name) has no cases that can be kept, and is kept as JSON", at: type.range)
      return .attribute(json(name, type))
    default:
      note("\(place): \(source(type.range)) is kept as JSON", at: type.range)
      return .attribute(json(name, type))
    }
  }

  /// A value that is encoded as a whole.
  private func json(_ name: String, _ type: TypeSyntax) -> Attribute {
    var attribute = Attribute(name, .transformable)
    attribute.valueClassName = type.written
    return attribute
  }

  private mutating func composite(
    _ structure: SwiftTypeDeclaration, _ name: String, place: String, depth: Int
  ) -> Content {
    guard depth < Nesting.composites, room > 0 else {
      issues.report(.tooDeep, at: structure.place)
      return .nothing
    }
    var attribute = Attribute(name, .composite)
    attribute.compositeName = structure.name
    for statement in structure.statements {
      guard case .declaration(let declaration) = statement.kind, !declaration.isStatic, !declaration.isComputed else {
        continue
      }
      room -= 1
      let inner = "\(place).\(declaration.name)"
      guard let type = declaration.type ?? inferredType(of: declaration.value) else {
        issues.report(.unknownTypeOfProperty(declaration.name), at: statement.range)
        continue
      }
      switch content(of: type, declaration.name, place: inner, depth: depth + 1) {
      case .attribute(var element):
        element.isOptional = type.isOptionalValue
        attribute.elements.append(element)
      case .relationship: note("\(inner) leads to a model from a structure and is left out", at: statement.range)
      case .nothing: break
      }
    }
    return .attribute(attribute)
  }

  /// The composite that keeps an enumeration: its raw value as the only element, or an element for each case.
  private mutating func enumeration(_ declared: SwiftTypeDeclaration, _ type: TypeSyntax, _ name: String) -> Attribute?
  {
    guard let enumeration = SwiftEnumeration(declared, bytes, constants) else { return nil }
    room -= enumeration.cases.count
    var attribute = Attribute(name, .composite)
    attribute.compositeName = enumeration.name
    attribute.elements = enumeration.elements(of: name, isOptional: type.isOptionalValue)
    attribute.userInfo = [SwiftEnumeration.userInfoKey: enumeration.text]
    return attribute
  }

  /// The type that Swift finds for a value without one written: nil where that is not simple.
  func inferredType(of value: SwiftSyntax?) -> TypeSyntax? {
    guard let value else { return nil }
    func named(_ name: String) -> TypeSyntax { TypeSyntax(name: name, range: value.range) }
    switch value.unwrapped.kind {
    case .literal(.int): return named("Int")
    case .literal(.double): return named("Double")
    case .literal(.bool): return named("Bool")
    case .string: return named("String")
    case .forced(let base): return inferredType(of: base)
    case .prefix("-", let operand): return inferredType(of: operand)
    case .cast(_, "as", let type): return type
    // `Date()`, `[S.Part]()`, `[String: Int]()`, `Set<Part>()`, `Optional<Int>(5)`
    case .call(let callee, let generics, _):
      switch callee.kind {
      case .member(let base?, "init"): return inferredType(of: base)
      case .array, .dictionary: return type(written: callee.range)
      case .name(let name), .member(_, let name):
        guard name.first?.isUppercase == true else { return nil }
        return generics.isEmpty ? named(name) : type(written: callee.range.lowerBound..<value.range.upperBound)
      default: return nil
      }
    case .name(let name) where name.first?.isUppercase == true: return named(name)
    // `Status.open.rawValue`
    case .member(let base?, "rawValue"):
      guard let type = inferredType(of: base), let declared = types[type.name] else { return nil }
      return declared.inherited.first { Self.scalarType($0.name) != nil }?.placed(at: value.range)
    // `Date.now`, `Status.open`
    case .member(let base?, _):
      guard case .name(let name) = base.kind, name.first?.isUppercase == true else { return nil }
      return named(name)
    case .array(let elements):
      guard let element = inferredType(of: elements.first) else { return nil }
      return TypeSyntax(name: "Array", arguments: [element], range: value.range)
    default: return nil
    }
  }

  /// The type that stands in the text, before the arguments of a call.
  private func type(written range: Range<Int>) -> TypeSyntax? {
    let written = String(decoding: bytes[range], as: UTF8.self).prefix { $0 != "(" }
    var parser = SwiftParser(String(written))
    let type = parser.type()
    guard parser.issues.found.isEmpty, parser.current.kind == .end else { return nil }
    return type.placed(at: range)
  }

  /// The type of attributes that hold a type of Swift; nil where it is none of the plain ones.
  static func scalarType(_ name: String) -> AttributeType? { scalars[name]?.type }

  /// The types of Swift that attributes hold, and whether the attribute's own type is another.
  private static let scalars: [String: (type: AttributeType, isWider: Bool)] = [
    "String": (.string, false), "Int": (.integer64, false), "Int64": (.integer64, false), "Int32": (.integer32, false),
    "Int16": (.integer16, false), "Int8": (.integer16, true), "UInt8": (.integer16, true), "UInt16": (.integer32, true),
    "UInt32": (.integer64, true), "UInt64": (.integer64, true), "UInt": (.integer64, true), "Double": (.double, false),
    "Float": (.float, false), "CGFloat": (.double, false), "TimeInterval": (.double, false), "Bool": (.boolean, false),
    "Decimal": (.decimal, false), "Date": (.date, false), "Data": (.data, false), "UUID": (.uuid, false),
    "URL": (.url, false), "Character": (.string, true),
  ]

  /// Types of Foundation that are stored encoded.
  private static let encodables: Set<String> = [
    "AttributedString", "Calendar", "CGPoint", "CGRect", "CGSize", "CLLocationCoordinate2D", "ClosedRange", "Color",
    "DateComponents", "DateInterval", "Duration", "IndexSet", "Locale", "Measurement", "NSAttributedString",
    "PersistentIdentifier",
    "PersonNameComponents", "Range", "TimeZone", "UIColor", "NSColor", "NSObject", "Any",
  ]
}

extension TypeSyntax {
  /// Whether a value of the type may be nil.
  var isOptionalValue: Bool { isOptional || name == "Optional" }

  /// The type as Swift writes it, without the mark of an optional.
  var written: String {
    switch name {
    case "Array" where arguments.count == 1: "[\(arguments[0].marked)]"
    case "Dictionary" where arguments.count == 2: "[\(arguments[0].marked): \(arguments[1].marked)]"
    case _ where arguments.isEmpty: name
    default: "\(name)<\(arguments.map(\.marked).joined(separator: ", "))>"
    }
  }

  private var marked: String { written + (isOptional ? "?" : "") }

  /// The same type, as if all of it stood at a place.
  func placed(at range: Range<Int>) -> TypeSyntax {
    var type = self
    type.range = range
    type.arguments = arguments.map { $0.placed(at: range) }
    return type
  }
}
