internal import Modeling
internal import Queries
internal import SwiftParsing

// NSPredicate(format:) and its arguments.
extension SiteFinder {
  func format(at index: Int, _ open: Int) -> SourceSite? {
    let whole = range(from: index, to: file.partners[open])
    guard let arguments = file.arguments(at: open) else {
      return SourceSite(subject: .unread, use: .condition, range: whole)
    }
    guard let first = arguments.first, first.label == "format" else { return nil }
    let destination = EntityFlow(file).destination(from: index)
    guard var site = formatText(first.value, at: open) else {
      return SourceSite(subject: .unread, use: .condition, range: whole, entity: destination.entity)
    }
    guard let kinds = PlaceholderKinds(site.format.text) else {
      return SourceSite(subject: .unread, use: .condition, range: whole, entity: destination.entity)
    }
    give(Array(arguments.dropFirst()), to: &site, kinds, at: open)
    return SourceSite(.format(site), .condition, whole, destination)
  }

  /// Adds the arguments that the call has, between those that stand for values in the text.
  private func give(_ arguments: [SwiftArgument], to site: inout FormatSite, _ kinds: PlaceholderKinds, at open: Int) {
    var given: [SiteArgument] = []
    for argument in arguments {
      switch (argument.label, argument.value.unwrapped.kind) {
      case (nil, _): given.append(self.argument(argument.value, at: open))
      case ("argumentArray", .array(let elements)):
        site.isListOfObjects = true
        given += elements.map { self.argument($0, at: open) }
      case ("argumentArray", .literal(.null)): break
      default:
        site.arguments = nil
        return
      }
    }
    var all: [SiteArgument] = []
    var inserted = site.arguments ?? []
    for kind in kinds.all {
      if let next = inserted.first, site.format.source(kind.range).lowerBound == next.range.lowerBound {
        inserted.removeFirst()
        all.append(next)
      } else if !given.isEmpty {
        all.append(given.removeFirst())
      }
    }
    site.arguments = all + given
  }

  // MARK: Text

  /// The format, where it is known but for values that are put into it; the values are its arguments for now.
  private func formatText(_ syntax: SwiftSyntax, at index: Int) -> FormatSite? {
    let texts = ConstantTexts(file)
    if let known = texts.text(of: syntax, at: index) { return FormatSite(format: known, arguments: []) }
    var builder = FormatBuilder()
    guard add(syntax, to: &builder, at: index), let site = builder.site else { return nil }
    return site
  }

  private func add(_ syntax: SwiftSyntax, to builder: inout FormatBuilder, at index: Int) -> Bool {
    if let known = ConstantTexts(file).text(of: syntax, at: index) {
      builder.append(known)
      return true
    }
    switch syntax.unwrapped.kind {
    case .string(let string):
      guard let parts = PlacedInterpolation(syntax.unwrapped, string, file).parts else { return false }
      for part in parts {
        switch part {
        case .text(let piece): builder.append(piece)
        case .value(let value, let range):
          if let known = ConstantTexts(file).text(of: value, at: index) {
            builder.append(known.text, standingAt: range)
          } else {
            builder.insert(source(value.range), at: range, isConstant: isConstant(value))
          }
        }
      }
      return true
    case .infix("+", let operands):
      for operand in operands { guard add(operand, to: &builder, at: index) else { return false } }
      return true
    case .call(let callee, _, let arguments):
      // `String(format: "name == '%@'", name)` is text that is put together, too.
      guard case .name("String") = callee.kind, arguments.first?.label == "format" else { break }
      return false
    default: break
    }
    builder.insert(source(syntax.range), at: syntax.range, isConstant: isConstant(syntax))
    return builder.hasText
  }

  /// Whether a value is that of a type, which most likely is the same in each run: `Keys.name`, `Status.open.rawValue`.
  private func isConstant(_ syntax: SwiftSyntax) -> Bool {
    guard let root = syntax.unwrapped.memberPath?.first else {
      switch syntax.unwrapped.kind {
      case .macro, .literal: return true
      // `String(Status.open.rawValue)`
      case .call(let callee, _, let arguments):
        return callee.typeName?.first?.isUppercase == true && arguments.count == 1 && isConstant(arguments[0].value)
      default: return false
      }
    }
    return root.first?.isUppercase == true
  }

  private func source(_ range: Range<Int>) -> String {
    let words = String(decoding: file.bytes[range].prefix(400), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  // MARK: Arguments

  private func argument(_ syntax: SwiftSyntax, at index: Int) -> SiteArgument {
    var argument = SiteArgument(source: source(syntax.range), range: syntax.range)
    argument.key = ConstantTexts(file).text(of: syntax, at: index)
    if case .macro("keyPath", _, _) = syntax.unwrapped.kind { argument.isCompiledKey = true }
    (argument.value, argument.kind) = known(syntax, at: index)
    return argument
  }

  /// The value and the kind of an argument, as far as the source says them.
  private func known(_ syntax: SwiftSyntax, at index: Int) -> (Value?, SiteArgument.Kind?) {
    switch syntax.unwrapped.kind {
    case .literal(let value): return (value, Self.kind(of: value))
    case .string(let string): return string.interpolation == nil ? (.string(string.content), .object) : (nil, .object)
    case .prefix("-", let operand): return (SourceConstants().value(of: syntax), known(operand, at: index).1)
    case .cast(let inner, "as", let type):
      if let kind = Self.kind(ofType: type) { return (known(inner, at: index).0, kind) }
      // A number stays a number as a CVarArg.
      return type.name == "CVarArg" ? known(inner, at: index) : (nil, nil)
    case .macro("keyPath", _, _): return (nil, .object)
    case .array, .dictionary: return (nil, .object)
    case .call(let callee, _, _):
      guard case .name(let name) = callee.kind else { return (nil, nil) }
      return (nil, Self.kinds[name])
    case .name(let name):
      guard let type = Bindings(file).binding(of: name, at: index)?.type.flatMap({ file.type(at: $0) }),
        !type.isOptional
      else { return (nil, nil) }
      return (nil, Self.kind(ofType: type))
    default: return (nil, nil)
    }
  }

  private static func kind(of value: Value) -> SiteArgument.Kind? {
    switch value {
    case .int: .integer
    case .double: .double
    case .string: .object
    default: nil
    }
  }

  private static func kind(ofType type: TypeSyntax) -> SiteArgument.Kind? {
    type.arguments.isEmpty || ["Array", "Set", "Dictionary"].contains(type.name) ? kinds[type.name] : nil
  }

  private static let kinds: [String: SiteArgument.Kind] = [
    "Int": .integer, "Int8": .integer, "Int16": .integer, "Int32": .integer, "Int64": .integer, "UInt": .integer,
    "UInt8": .integer, "UInt16": .integer, "UInt32": .integer, "UInt64": .integer, "Double": .double, "Float": .double,
    "CGFloat": .double, "TimeInterval": .double, "NSNumber": .object, "NSString": .object, "String": .object,
    "NSDate": .object, "Date": .object, "NSArray": .object, "NSSet": .object, "NSUUID": .object, "UUID": .object,
    "NSURL": .object, "URL": .object, "NSData": .object, "Data": .object, "NSManagedObjectID": .object,
    "Array": .object, "Set": .object, "Dictionary": .object,
  ]
}
