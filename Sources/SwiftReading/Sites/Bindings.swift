internal import SwiftParsing

/// Where the names of a file are declared.
struct Bindings {
  /// `let name: Type = value`, by tokens.
  struct Binding {
    /// The name.
    var name: Int
    /// The first token of the type, where it is written.
    var type: Int?
    /// The first token of the value, where there is one.
    var value: Int?
    /// The tokens among which the name is known.
    var scope: Range<Int>
    var isConstant: Bool
  }

  private let file: SwiftSourceFile

  init(_ file: SwiftSourceFile) { self.file = file }

  /// The declaration that a name refers to at a token: the nearest one in the blocks around it, or a parameter.
  func binding(of name: String, at index: Int) -> Binding? {
    for block in file.blocks(around: index) {
      if let found = declaration(of: name, in: block, before: index) { return found }
      if case .function(let header) = block.kind, let found = parameter(name, header..<block.open, block) {
        return found
      }
      if let found = closureParameter(name, block) { return found }
    }
    return declaration(of: name, in: nil, before: index)
  }

  /// The value of a constant that a name refers to at a token.
  func constant(named name: String, at index: Int) -> Int? {
    guard let found = binding(of: name, at: index), found.isConstant else { return nil }
    return found.value
  }

  /// The value of a static constant of a type that the file declares or extends.
  func constant(named name: String, ofType type: String) -> Int? {
    for block in file.types(named: type) {
      if let found = declaration(of: name, in: block, before: .max), found.isConstant { return found.value }
    }
    return nil
  }

  // MARK: Declarations

  private func declaration(of name: String, in block: SwiftSourceFile.Block?, before index: Int) -> Binding? {
    let scope = block.map { $0.open + 1..<$0.close } ?? 0..<file.tokens.count
    var isType = block == nil
    if case .type? = block?.kind { isType = true }
    var found: Binding?
    for place in file.declarations(of: name, in: block) {
      // In a type the order does not matter.
      if place >= index, !isType || found != nil { break }
      found = binding(at: place, scope: scope) ?? found
    }
    return found
  }

  /// The declaration whose name stands at a token.
  private func binding(at place: Int, scope: Range<Int>) -> Binding? {
    guard let word = file.name(place - 1), word == "let" || word == "var" else { return nil }
    var binding = Binding(name: place, scope: scope, isConstant: word == "let")
    var next = place + 1
    if file.kind(next) == .sign(":") {
      binding.type = next + 1
      next = endOfType(next + 1)
    }
    if file.kind(next) == .sign("=") { binding.value = next + 1 }
    return binding
  }

  /// The token behind a type.
  private func endOfType(_ start: Int) -> Int {
    var place = start
    while place < file.tokens.count {
      switch file.kind(place) {
      case .sign("="), .sign("{"), .sign("}"), .sign(","), .sign(")"), .end: return place
      case .sign("("), .sign("["):
        guard file.partners[place] > place else { return place }
        place = file.partners[place] + 1
      default:
        if place > start, file.tokens[place].beginsLine { return place }
        place += 1
      }
    }
    return place
  }

  private func parameter(_ name: String, _ header: Range<Int>, _ block: SwiftSourceFile.Block) -> Binding? {
    guard ["func", "init", "subscript"].contains(file.name(header.lowerBound)) else { return nil }
    for place in header where file.kind(place) == .name(name) && file.kind(place + 1) == .sign(":") {
      return Binding(
        name: place, type: place + 2, value: nil, scope: block.open + 1..<block.close, isConstant: false)
    }
    return nil
  }

  /// A parameter of a closure, whose type is not known unless it is written.
  private func closureParameter(_ name: String, _ block: SwiftSourceFile.Block) -> Binding? {
    for place in block.open + 1..<min(block.open + 20, block.close) {
      switch file.kind(place) {
      case .name("in"):
        for own in block.open + 1..<place where file.kind(own) == .name(name) {
          let type = file.kind(own + 1) == .sign(":") ? own + 2 : nil
          return Binding(name: own, type: type, value: nil, scope: block.open + 1..<block.close, isConstant: false)
        }
        return nil
      case .name, .sign(","), .sign(":"), .sign("("), .sign(")"), .sign("["), .sign("]"), .sign("?"), .sign("->"):
        if place > block.open + 1, file.tokens[place].beginsLine { return nil }
      default: return nil
      }
    }
    return nil
  }
}
