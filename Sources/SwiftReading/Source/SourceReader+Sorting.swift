internal import Modeling
internal import Queries
internal import SwiftParsing

extension SourceReader {
  /// The sort descriptors of an array, of one key path, or of a name for them.
  mutating func sortDescriptors(from syntax: SwiftSyntax, entity: Entity?) -> [SortDescriptor] {
    switch syntax.kind {
    case .array(let elements): return elements.flatMap { sortKeys($0, entity) }
    case .cast(let inner, _, _), .forced(let inner): return sortDescriptors(from: inner, entity: entity)
    case .infix("+", let lists): return lists.flatMap { sortDescriptors(from: $0, entity: entity) }
    case .name, .member: return sortKeys(syntax, entity)
    default: return sortDescriptor(syntax, entity).map { [$0] } ?? []
    }
  }

  /// One sort descriptor, or those that a name stands for.
  private mutating func sortKeys(_ syntax: SwiftSyntax, _ entity: Entity?) -> [SortDescriptor] {
    let known: SourceConstants.Constant?
    switch syntax.kind {
    case .name(let name): known = constants[name]
    case .member(let base, let name): known = constants.declared(name, of: base)
    default: return sortDescriptor(syntax, entity).map { [$0] } ?? []
    }
    if case .sortKeys(let keys)? = known { return keys.compactMap { sortDescriptor($0, entity) } }
    issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
    return []
  }

  /// Sort descriptors with those in the place of names that are known, which may stand for others later.
  func withoutNames(_ keys: [SwiftSyntax]) -> [SwiftSyntax] {
    let all = keys.flatMap { key -> [SwiftSyntax] in
      if case .name(let name) = key.kind, case .sortKeys(let known)? = constants[name] { known } else { [key] }
    }
    return Array(all.prefix(1000))
  }

  private mutating func sortDescriptor(_ syntax: SwiftSyntax, _ entity: Entity?) -> SortDescriptor? {
    switch syntax.kind {
    case .keyPath: return path(syntax, of: entity).map { SortDescriptor(.path($0)) }
    case .call(let callee, _, let arguments):
      switch callee.kind {
      case .name("SortDescriptor"), .name("NSSortDescriptor"), .member(nil, "init"):
        return sortDescriptor(arguments, entity, syntax, isObject: callee.typeName == "NSSortDescriptor")
      default: break
      }
    case .unreadable: return nil
    default: break
    }
    issues.report(.notASortDescriptor(source(syntax.range)), at: syntax.range)
    return nil
  }

  private mutating func sortDescriptor(
    _ arguments: [SwiftArgument], _ entity: Entity?, _ syntax: SwiftSyntax, isObject: Bool
  ) -> SortDescriptor? {
    guard let first = arguments.first, [nil, "key", "keyPath"].contains(first.label) else {
      issues.report(.notASortDescriptor(source(syntax.range)), at: syntax.range)
      return nil
    }
    if first.label == nil, case .call = first.value.kind { return sortDescriptor(first.value, entity) }
    guard (first.label != nil) == arguments.contains(where: { $0.label == "ascending" }),
      !isObject || first.label != nil
    else {
      issues.report(.notASortDescriptor(source(syntax.range)), at: syntax.range)
      return nil
    }
    guard let path = path(first.value, of: entity) else { return nil }
    var descriptor = SortDescriptor(.path(path))
    // SortDescriptor compares text as the Finder does; NSSortDescriptor by its characters.
    if first.label == nil, isText(path, in: entity) { descriptor.comparator = .standard }
    for argument in arguments.dropFirst() { set(argument, of: &descriptor) }
    return descriptor
  }

  private func isText(_ path: PropertyPath, in entity: Entity?) -> Bool {
    guard let entity, let resolved = try? path.resolve(in: entity) else { return false }
    return (resolved.finalElement ?? resolved.finalAttribute)?.type == .string
  }

  private mutating func set(_ argument: SwiftArgument, of descriptor: inout SortDescriptor) {
    let comparators: [String: SortDescriptor.StringComparator] = [
      "localizedStandard": .standard, "localized": .localized, "lexical": .binary,
    ]
    switch (argument.label, argument.value.kind) {
    case ("order", _):
      guard let isReverse = isReverse(argument.value) else {
        _ = notAConstant(argument.value)
        return
      }
      descriptor.isAscending = !isReverse
      return
    case ("ascending", _):
      guard case .bool(let flag)? = constants.value(of: argument.value) else {
        _ = notAConstant(argument.value)
        return
      }
      descriptor.isAscending = flag
      return
    case ("comparator", .member(_, let name)):
      guard let comparator = comparators[name] else { break }
      descriptor.comparator = comparator
      return
    case ("selector", .macro("selector", _, let arguments)):
      guard case .name(let text)? = arguments.first?.value.kind, let comparator = Self.comparator(of: text) else {
        break
      }
      descriptor.comparator = comparator
      return
    case ("selector", .literal(.null)): return
    default: break
    }
    issues.report(.notASortDescriptor(source(argument.value.range)), at: argument.value.range)
  }

  private static func comparator(of selector: String) -> SortDescriptor.StringComparator? {
    let names: [(String, SortDescriptor.StringComparator)] = [
      ("localizedStandardCompare", .standard), ("localizedCaseInsensitiveCompare", .caseInsensitive),
      ("caseInsensitiveCompare", .caseInsensitive), ("localizedCompare", .localized), ("compare", .binary),
    ]
    return names.first { selector.contains($0.0) }?.1
  }

  // MARK: Key paths

  /// The path of `\Quake.station?.name`, or of a key as text.
  mutating func path(_ syntax: SwiftSyntax, of entity: Entity?) -> PropertyPath? {
    switch syntax.kind {
    case .keyPath(let root, let components):
      if let root, let entity, let model, let named = model.entity(named: root.name),
        !entity.isKind(of: named), !named.isKind(of: entity)
      {
        issues.report(.wrongEntity(root.name, expected: entity.name), at: root.range)
        return nil
      }
      let found = PropertyPath(components, origin: origin(componentsRange(syntax.range, components.count)))
      return checked(found, in: entity)
    case .string(let string):
      let place = syntax.range.lowerBound + 1..<max(syntax.range.lowerBound + 1, syntax.range.upperBound - 1)
      let path = PropertyPath(PropertyPath(dotted: string.content).components, origin: origin(place))
      return checked(path, in: entity)
    case .unreadable: return nil
    default:
      if case .string(let text)? = constants.value(of: syntax) {
        return checked(PropertyPath(PropertyPath(dotted: text).components, origin: origin(syntax.range)), in: entity)
      }
      issues.report(.notAKeyPath(source(syntax.range)), at: syntax.range)
      return nil
    }
  }

  /// Where the last components of a key path stand in the source.
  private func componentsRange(_ range: Range<Int>, _ count: Int) -> Range<Int> {
    var points = 0
    for place in range.reversed() where bytes[place] == UInt8(ascii: ".") {
      points += 1
      if points == count { return place + 1..<range.upperBound }
    }
    return range
  }

  /// The path, if its names are there.
  private mutating func checked(_ path: PropertyPath, in entity: Entity?) -> PropertyPath? {
    guard let entity else { return path }
    do {
      _ = try path.resolve(in: entity)
      return path
    } catch {
      issues.report(error, at: path.origin?.range ?? 0..<0)
      return nil
    }
  }

  /// The paths of an array of key paths or keys.
  mutating func paths(_ syntax: SwiftSyntax, of entity: Entity) -> [PropertyPath] {
    guard case .array(let elements) = syntax.kind else {
      issues.report(.notAConstant(source(syntax.range)), at: syntax.range)
      return []
    }
    return elements.compactMap { path($0, of: entity) }
  }
}
