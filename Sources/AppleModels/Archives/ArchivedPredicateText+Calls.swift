internal import Modeling

// Functions, methods and key paths, which are all archived as messages to an operand.
extension ArchivedPredicateText {
  mutating func call(_ object: ArchivedObject, depth: Int) throws(ArchivedPredicateError) -> String {
    guard let selector = object.text("NSSelectorName"), let receiver = object.object("NSOperand") else {
      throw .unknownPart(object.className)
    }
    let contents = object.elements("NSArguments")
    if selector == "valueForKeyPath:" || selector == "valueForKey:", contents.count == 1 {
      return try keyPath(contents[0], of: receiver, depth: depth)
    }
    guard receiver.has("NSConstantValueClassName") else {
      let parts = try operands([.object(receiver)] + contents, depth: depth)
      let rest = [argument(.string(selector), as: "%@")] + parts.dropFirst()
      return "FUNCTION(\(([parts[0]] + rest).joined(separator: ", ")))"
    }
    return try function(selector, contents, depth: depth)
  }

  private mutating func keyPath(
    _ keys: ArchivedContent, of receiver: ArchivedObject, depth: Int
  ) throws(ArchivedPredicateError) -> String {
    guard case .object(let keys) = keys, let path = keys.text("NSKeyPath") ?? keys.text("NSConstantValue") else {
      throw .unknownPart("keys that are computed")
    }
    // SELF.name is name.
    if receiver.integer("NSExpressionType") == 1 { return argument(.string(path), as: "%K") }
    let start = try operand(.object(receiver), depth: depth + 1)
    return "\(start).\(argument(.string(path), as: "%K"))"
  }

  /// A function of the format language, which is a message to a class of Foundation's own.
  private mutating func function(
    _ selector: String, _ contents: [ArchivedContent], depth: Int
  ) throws(ArchivedPredicateError) -> String {
    if selector == "castObject:toType:", contents.count == 2 {
      return "CAST(\(try operand(contents[0], depth: depth + 1)), \"\(try typeName(contents[1]))\")"
    }
    if selector == "objectFrom:withIndex:", contents.count == 2 {
      let start = try operand(contents[0], depth: depth + 1)
      return "\(start)[\(try position(contents[1], depth: depth))]"
    }
    guard selector.utf8.allSatisfy({ $0 == 0x3A || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }) else {
      throw .unknownPart(selector)
    }
    return "\(selector)(\(try operands(contents, depth: depth).joined(separator: ", ")))"
  }

  /// The type of a cast, which is part of the text.
  private func typeName(_ content: ArchivedContent) throws(ArchivedPredicateError) -> String {
    guard case .object(let object) = content, let name = object.text("NSConstantValue"),
      name.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
    else { throw .unknownPart("a cast to something else") }
    return name
  }

  /// What stands in the brackets of a subscript.
  private mutating func position(
    _ content: ArchivedContent, depth: Int
  ) throws(ArchivedPredicateError) -> String {
    guard case .object(let object) = content, object.isKind(of: "NSSymbolicExpression") else {
      return try operand(content, depth: depth + 1)
    }
    switch object.integer("NSSymbolicToken") ?? object.integer("NSToken") {
    case 0: return "FIRST"
    case 1: return "LAST"
    case 2: return "SIZE"
    default: throw .unknownPart("a position of another kind")
    }
  }
}
