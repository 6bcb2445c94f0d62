internal import Modeling
internal import Queries
internal import SwiftParsing

/// Recognizes the places of a file that say something about a model, each by the token that begins it.
struct SiteFinder {
  let file: SwiftSourceFile

  init(_ file: SwiftSourceFile) { self.file = file }

  /// The sites that begin at a token.
  func sites(at index: Int) -> [SourceSite] {
    switch file.kind(index) {
    case .pound("Predicate"), .pound("Expression"): return macro(at: index)
    case .attribute(let name) where FetchMakers.wrappers.contains(name): return keyPaths(ofCallAt: index, name)
    case .name(let name):
      switch name {
      case "NSPredicate", "NSSortDescriptor", "NSExpression", "NSFetchRequest", "FetchDescriptor", "SortDescriptor",
        "FetchRequest", "SectionedFetchRequest", "Query", "NSBatchUpdateRequest":
        return made(by: name, at: index)
      case "value", "setValue", "primitiveValue", "setPrimitiveValue", "mutableSetValue": return keyed(at: index)
      default: return []
      }
    default: return []
    }
  }

  /// The sites of a call such as `NSPredicate(...)` or `NSPredicate.init(...)`.
  private func made(by name: String, at index: Int) -> [SourceSite] {
    guard let open = parenthesis(behind: index) else { return [] }
    switch name {
    case "NSPredicate": return format(at: index, open).map { [$0] } ?? []
    case "NSSortDescriptor", "SortDescriptor": return order(at: index, open)
    case "NSExpression": return expression(at: index, open)
    case "NSFetchRequest", "NSBatchUpdateRequest": return entityName(at: index, open)
    default: return keyPaths(ofCallAt: index, name)
    }
  }

  /// The parenthesis of the call of a type, behind its generic arguments and `.init`.
  func parenthesis(behind index: Int) -> Int? {
    var place = index + 1
    if file.kind(place) == .sign("<") {
      guard let end = endOfGenerics(place) else { return nil }
      place = end + 1
    }
    if file.kind(place) == .sign("."), file.name(place + 1) == "init" { place += 2 }
    guard file.kind(place) == .sign("("), file.partners[place] > place, !file.tokens[place].beginsLine else {
      return nil
    }
    return place
  }

  /// The token that ends generic arguments.
  func endOfGenerics(_ start: Int) -> Int? {
    var depth = 0
    for place in start..<min(start + 40, file.tokens.count) {
      switch file.kind(place) {
      case .sign("<"): depth += 1
      case .sign(">"):
        depth -= 1
        if depth == 0 { return place }
      case .sign("{"), .sign("}"), .sign(";"), .sign("="), .end: return nil
      default: break
      }
    }
    return nil
  }

  func range(from index: Int, to last: Int) -> Range<Int> {
    file.tokens[index].range.lowerBound..<max(file.tokens[last].range.upperBound, file.tokens[index].range.upperBound)
  }

  // MARK: Sites

  private func macro(at index: Int) -> [SourceSite] {
    guard case .pound(let name) = file.kind(index), let value = file.value(at: index),
      case .macro(_, let generics, let arguments) = value.kind, case .closure(let closure)? = arguments.last?.value.kind
    else { return [] }
    let site = MacroSite(name: name, file: file, index: index)
    var entity = generics.first ?? closure.parameters?.first?.type?.innermost
    if entity == "Self" { entity = file.owner(of: index) }
    let destination = EntityFlow(file).destination(from: index)
    return [
      SourceSite(.macro(site), .condition, value.range, destination, entity: entity)
    ]
  }

  /// `NSSortDescriptor(key: "time", ascending: true)`, `SortDescriptor(\.time)`
  private func order(at index: Int, _ open: Int) -> [SourceSite] {
    guard let arguments = file.arguments(at: open), let first = arguments.first else { return [] }
    let whole = range(from: index, to: file.partners[open])
    func site(_ subject: SourceSite.Subject, _ root: String? = nil) -> [SourceSite] {
      var site = SourceSite(subject, .order, whole, EntityFlow(file).destination(from: index))
      site.isWhole = isWholeOrder(at: index, open)
      return [site]
    }
    switch (first.label, first.value.unwrapped.kind) {
    case ("key", .literal(.null)): return []
    case ("key", _):
      return site(ConstantTexts(file).text(of: first.value, at: open).map { .key($0) } ?? .unread)
    case ("keyPath", .keyPath(let root, let components)), (nil, .keyPath(let root, let components)):
      return components.isEmpty ? [] : site(.keyPath(components, first.value.range), root?.name)
    default: return []
    }
  }

  /// Whether a sort descriptor is alone in a wrapper that has no predicate, so that all objects are sorted by it.
  private func isWholeOrder(at index: Int, _ open: Int) -> Bool {
    guard file.kind(index - 1) == .sign("["), file.kind(file.partners[open] + 1) == .sign("]") else { return false }
    let call = file.openBrackets[index - 1]
    guard call > 0, case .attribute(let wrapper) = file.kind(call - 1), FetchMakers.wrappers.contains(wrapper),
      let arguments = file.arguments(at: call)
    else { return false }
    return Self.areWithoutCondition(arguments)
  }

  private static func areWithoutCondition(_ arguments: [SwiftArgument]) -> Bool {
    arguments.allSatisfy { ["sortDescriptors", "sort", "order", "animation", "entity"].contains($0.label ?? "") }
  }

  /// `NSExpression(forKeyPath: "magnitude")`, `NSExpression(format: "...")`
  private func expression(at index: Int, _ open: Int) -> [SourceSite] {
    guard let arguments = file.arguments(at: open), let first = arguments.first, first.label == "forKeyPath" else {
      return []
    }
    let whole = range(from: index, to: file.partners[open])
    let subject: SourceSite.Subject
    if case .keyPath(_, let components) = first.value.unwrapped.kind {
      guard !components.isEmpty else { return [] }
      subject = .keyPath(components, first.value.range)
    } else {
      subject = ConstantTexts(file).text(of: first.value, at: open).map { .key($0) } ?? .unread
    }
    var site = SourceSite(subject, .value, whole, EntityFlow(file).destination(from: index))
    site.isWhole = false
    return [site]
  }

  /// `NSFetchRequest<Quake>(entityName: "Quake")`
  private func entityName(at index: Int, _ open: Int) -> [SourceSite] {
    guard let first = file.arguments(at: open)?.first, first.label == "entityName",
      case .string(let string) = first.value.unwrapped.kind, string.interpolation == nil
    else { return [] }
    let text = PlacedText(literal: first.value.unwrapped.range, in: file.bytes)
    return [SourceSite(subject: .entityName(text), use: .value, range: first.value.range)]
  }

  /// The key paths in `@Query(sort: \.time)`, where the order is no sort descriptor.
  private func keyPaths(ofCallAt index: Int, _ name: String) -> [SourceSite] {
    guard let open = parenthesis(behind: index), let arguments = file.arguments(at: open) else { return [] }
    let orders = arguments.filter { ["sort", "sectionIdentifier", "sectionBy"].contains($0.label) }
    return orders.compactMap { order in
      guard case .keyPath(_, let components) = order.value.kind, !components.isEmpty else { return nil }
      return SourceSite(
        subject: .keyPath(components, order.value.range), use: order.label == "sort" ? .order : .value,
        range: order.value.range, entity: EntityFlow(file).entity(ofRequestAt: index, open),
        isWhole: order.label == "sort" && FetchMakers.wrappers.contains(name) && Self.areWithoutCondition(arguments))
    }
  }

  /// `quake.value(forKey: "magnitude")` of an object that is made by the name of its entity.
  private func keyed(at index: Int) -> [SourceSite] {
    guard file.kind(index - 1) == .sign("."), let arguments = file.arguments(at: index + 1),
      let key = arguments.first(where: { $0.label == "forKey" || $0.label == "forKeyPath" })?.value,
      case .string(let string) = key.unwrapped.kind, string.interpolation == nil
    else { return [] }
    let text = PlacedText(literal: key.unwrapped.range, in: file.bytes)
    return [
      SourceSite(
        subject: .key(text), use: .value, range: key.range, entity: EntityFlow(file).entityOfObject(before: index - 1))
    ]
  }
}
