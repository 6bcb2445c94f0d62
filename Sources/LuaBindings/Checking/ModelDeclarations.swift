internal import Modeling
package import SourceChecking

/// The places in a script where a property of a model is declared: its field, its name as an inverse, and in the entity's lists.
///
///     Quake = Entity { magnitude = Double, _ = { order = { "magnitude" } } }
package struct ModelDeclarations {
  /// The places, in bytes of the script.
  package private(set) var ranges: [Range<Int>] = []
  /// Where the field of the property itself stands.
  package private(set) var field: Range<Int>?
  private let tokens: [LuaToken]
  private let bytes: [UInt8]

  /// Finds the declarations of a property.
  package init(_ bytes: [UInt8], _ property: DeclaredProperty) {
    self.bytes = bytes
    tokens = LuaToken.tokens(of: String(decoding: bytes, as: UTF8.self)).filter {
      if case .comment = $0.kind { false } else { true }
    }
    let index = property.entity.index(of: property.name) ?? 0
    let isRelationship = property.entity.properties[index].relationship != nil
    for place in tokens.indices.dropLast(3) where text(place + 2) == "Entity" && text(place + 1) == "=" {
      guard text(place + 3) == "{" else { continue }
      if text(place) == property.entity.name { findFields(place + 3, property.name) }
      if isRelationship { findInverses(place + 3, property, in: text(place)) }
    }
  }

  /// The place of the name in `Quake = Entity { ... }`; nil where a script makes no entity of that name.
  package static func place(ofEntity name: String, in bytes: [UInt8]) -> Range<Int>? {
    let tokens = LuaToken.tokens(of: String(decoding: bytes, as: UTF8.self)).filter {
      if case .comment = $0.kind { false } else { true }
    }
    return tokens.indices.dropLast(2).first {
      tokens[$0].text(in: bytes) == name && tokens[$0 + 1].text(in: bytes) == "="
        && tokens[$0 + 2].text(in: bytes) == "Entity"
    }.map { tokens[$0].range }
  }

  private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text(in: bytes) : "" }

  /// The indices of the tokens in braces, with the depth of each.
  private func contents(of open: Int) -> [(index: Int, depth: Int)] {
    var depth = 0
    var found: [(Int, Int)] = []
    for index in open..<tokens.count {
      if text(index) == "{" { depth += 1 }
      if text(index) == "}" { depth -= 1 }
      if depth == 0 { break }
      found.append((index, depth))
    }
    return found
  }

  private mutating func findFields(_ open: Int, _ name: String) {
    var isList = false
    for (index, depth) in contents(of: open) {
      if depth == 1, tokens[index].kind == .name, text(index + 1) == "=" { isList = text(index) == "_" }
      if depth == 1, tokens[index].kind == .name, text(index) == name, text(index + 1) == "=" {
        ranges.append(tokens[index].range)
        field = field ?? tokens[index].range
      } else if isList, let range = content(index, name) {
        ranges.append(range)
      }
    }
  }

  /// `inverse = "reports"` of the relationships that lead to the property's entity.
  private mutating func findInverses(_ open: Int, _ property: DeclaredProperty, in owner: String) {
    guard let place = property.entity.index(of: property.name),
      property.entity.destination(at: place).root.family.contains(where: { $0.name == owner })
    else { return }
    for (index, _) in contents(of: open) where text(index) == "inverse" && text(index + 1) == "=" {
      if let range = content(index + 2, property.name) { ranges.append(range) }
    }
  }

  /// The place of a name within its quotes.
  private func content(_ index: Int, _ name: String) -> Range<Int>? {
    guard tokens.indices.contains(index), case .string(isOpen: false) = tokens[index].kind else { return nil }
    let range = tokens[index].range
    guard range.count == name.utf8.count + 2 else { return nil }
    let inner = range.lowerBound + 1..<range.upperBound - 1
    return String(decoding: bytes[inner], as: UTF8.self) == name ? inner : nil
  }
}
