internal import SwiftParsing

// The entities that calls of functions name.
extension EntityFlow {
  /// The entity that a call names, where it names one: `Quake.first(where: predicate)`, `fetch(Quake.self, matching: predicate)`,
  /// `objects(forEntityName: "Quake", with: predicate)`.
  func entity(namedInCallOf callee: Int, _ open: Int) -> String? {
    let arguments = file.arguments(at: open) ?? []
    let named = Set(arguments.indices.compactMap { entity(named: arguments[$0], isFirst: $0 == 0, at: open) })
    guard named.isEmpty else { return named.count == 1 ? named.first : nil }
    guard file.kind(callee - 1) == .sign("."), let type = file.name(callee - 2), type.first?.isUppercase == true else {
      return nil
    }
    return specific(type, at: callee)
  }

  private func entity(named argument: SwiftArgument, isFirst: Bool, at index: Int) -> String? {
    switch argument.value.kind {
    case .member(let type?, "self"): return type.memberPath?.last.flatMap { specific($0, at: index) }
    case .string(let string):
      guard string.interpolation == nil, string.content.first?.isUppercase == true,
        argument.label.map({ $0.hasSuffix("ntityName") || $0.hasSuffix("ntity") }) ?? isFirst
      else { return nil }
      return string.content
    default: return nil
    }
  }

  /// The class that a name stands for; nil for one that may be any class.
  private func specific(_ name: String, at index: Int) -> String? {
    if name == "Self" { return file.owner(of: index) }
    return FetchMakers.unspecific.contains(name) ? nil : name
  }

  /// The entity of the request that a function of this file returns: `func strong() -> NSFetchRequest<Quake>`.
  func entity(ofResultOf callee: SwiftSyntax, at index: Int) -> String? {
    guard let path = callee.memberPath, let name = path.last, path.count <= 2 else { return nil }
    let base = path.count == 2 ? path[0] : nil
    guard base.map({ $0 == "self" || $0 == "Self" || $0.first?.isUppercase == true }) ?? true else { return nil }
    let type = base?.first?.isUppercase == true && base != "Self" ? base : file.owner(of: index)
    var found: Set<String?> = []
    for (block, header) in file.functions(named: name) where file.owner(of: header) == type {
      let arrow = (header..<block.open).last { file.kind($0) == .sign("->") }
      found.insert(arrow.flatMap { file.type(at: $0 + 1) }.flatMap(entity(ofType:)))
    }
    return found.count == 1 ? found.first ?? nil : nil
  }
}
